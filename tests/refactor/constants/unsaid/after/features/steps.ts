import { When } from '@cucumber/cucumber';

const sortBooksBy = (count: number, numberValue: number) => {
  shelf.open(count);
  return shelf.sort(count, numberValue);
};

When('I sort {int} books by title', (count: number) => {
  return sortBooksBy(count, 1);
});

When('I sort {int} books by price', (number: number) => {
  return sortBooksBy(number, 2);
});

When('I close the shop', function () { this.shop.close(); });
