import { createBdd } from 'playwright-bdd';
import { test } from './fixtures';
const { Given, When, Then } = createBdd(test);

Given('I open the {string} page', async ({ page }, path: string) => {
  await page.goto(path);
});
Given('I press the button', async ({ page }) => {});
When('I {word}', async ({}, act: string) => {});
Then('all is done', async ({}) => {});
