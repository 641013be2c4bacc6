import { When } from '@cucumber/cucumber';

When('I sort {int} books by title', async function (count: number) {
  await this.shelf.sort(count, 'title');
});

When('I sort {int} books by price', async function (number: number) {
  await this.shelf.sort(number, 'price');
});

When('I close the shop', function () { this.shop.close(); });
