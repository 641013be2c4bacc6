import { createBdd } from 'playwright-bdd';
import { BedPage as Bed } from './pages/bed';
import type { World } from './world';

const { Given, When, Then } = createBdd();

Given('a bed with {int} flowers', async ({ page, bedPage }, count: number) => {
  await bedPage.plant(count);
});

Given('{int} flowers in the bed', async ({ bedPage, page }, flowers: number): Promise<void> => {
  await bedPage.plant(flowers as number);
});

Given('{int} flowers on the lawn', async ({ lawnPage }, flowers: number) => {
  await lawnPage.plant(flowers);
});

Given('{int} flowers in a bed', async ({ bedPage: bed }, flowers: number) => {
  await bed!.plant(flowers);
});

When('I dig', async ({ page }) => {
  const bed = new Bed(page);
  await bed.dig(`twice`);
});

When('I rake', async ({ page }) => {
  const garden: Bed = new Bed(page);
  await garden.dig('once');
});

function visit<Place>(url: string, way: Place) {
  garden.visit(url, way);
  garden.wait();
}

When('I visit the lawn', () => {
  visit<Path>('lawn', paths.short);
});

When('I go to the lawn', () => {
  garden.visit('lawn', paths.short);
  garden.wait();
});

When('I water {int} flowers', async function (this: World, count: number) {
  await this.garden.water(count, { slowly: true });
});

When('{int} flowers get water', async function (count: number) {
  await this.garden.water(count, { slowly: true });
});
