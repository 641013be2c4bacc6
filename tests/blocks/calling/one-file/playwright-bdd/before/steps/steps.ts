import { createBdd } from 'playwright-bdd';
const { Given, When, Then } = createBdd();

Given('I open the {string} page', async ({ page }, path: string) => {
  await page.goto(path);
});
const fill = Given('I fill in {int} names like {string}', async ({ page, form }, count: number, name: string) => {
  await form.fill(count, name);
});
Given('I press the button', async ({ page }) => {});
When('I {word}', async ({}, act: string) => {});
Then('all is done', async ({}) => {});
