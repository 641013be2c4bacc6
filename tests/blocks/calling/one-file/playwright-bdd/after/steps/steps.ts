import { createBdd } from 'playwright-bdd';
const { Given, When, Then } = createBdd();

const iOpenThePage = Given('I open the {string} page', async ({ page }, path: string) => {
  await page.goto(path);
});
const fill = Given('I fill in {int} names like {string}', async ({ page, form }, count: number, name: string) => {
  await form.fill(count, name);
});
const iPressTheButton = Given('I press the button', async ({ page }) => {});

Given('I am logged in {int} times as {string}', async ({ page, form }, count: number, name: string) => {
  await iOpenThePage({ page }, 'it\'s a login');
  await fill({ page, form }, count, name);
  await iPressTheButton({ page });
});
When('I {word}', async ({}, act: string) => {});
Then('all is done', async ({}) => {});
