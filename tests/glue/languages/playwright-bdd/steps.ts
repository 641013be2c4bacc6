import { createBdd, Given as Provided } from 'playwright-bdd';
import { test } from './fixtures';

const { Given, When, Then: Expect } = createBdd(test);

Given('the machine is ready', async ({ page }) => {});

Provided<World>('there are {int} apples', async function (this: World, count: number): Promise<void> {});

When(`{string} takes {int} of them`, async ({}, who: string, count: number) => {});

Expect(/^it holds (\d+) apples?$/u, async ({}, count: string) => {});

class Machine {
  @Then('it costs {int} € \\(net)')
  @Expect(/^the sign is (red|amber)$/)
  async show(value: string) {}
}

export function install(this: Steps) {
  this.When('the lid opens', () => {});
}
