import { createBdd } from 'playwright-bdd';
import { test } from './fixtures';
const { Given } = createBdd(test);

Given('I fill in {string}', async ({ form }, name: string) => {
  await form.fill(name);
});
