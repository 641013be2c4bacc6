import { When } from '@cucumber/cucumber';

When('I sort {int} books by title', (count: number) => {
  shelf.open(count);
  return shelf.sort(count, 1);
});

When('I sort {int} books by price', (number: number) => {
  shelf.open(number);
  return shelf.sort(number, 2);
});

When('I close the shop', function () { this.shop.close(); });
