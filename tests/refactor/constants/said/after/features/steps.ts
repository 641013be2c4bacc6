import { When } from '@cucumber/cucumber';

When('I sort {int} books by {word}', async function (count: number, text: 'title' | 'price') {
  await this.shelf.sort(count, text);
});

When('I close the shop', function () { this.shop.close(); });
