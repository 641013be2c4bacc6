import { createBdd } from 'playwright-bdd';
import { test } from './fixtures';
import { iFillIn } from './forms';
const { Given, When, Then } = createBdd(test);

const iOpenThePage = Given('I open the {string} page', async ({ page }, path: string) => {
  await page.goto(path);
});
const iPressTheButton = Given('I press the button', async ({ page }) => {});

Given('I log in as {string}', async ({ page, form }, name: string) => {
  await iOpenThePage({ page }, 'login');
  await iFillIn({ form }, name);
  await iPressTheButton({ page });
});
When('I {word}', async ({}, act: string) => {});
Then('all is done', async ({}) => {});
