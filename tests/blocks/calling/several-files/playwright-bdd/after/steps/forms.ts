import { createBdd } from 'playwright-bdd';
import { test } from './fixtures';
const { Given } = createBdd(test);

const iFillIn = Given('I fill in {string}', async ({ form }, name: string) => {
  await form.fill(name);
});

export { iFillIn };
