import { When } from '@cucumber/cucumber';

const sortBooksBy = (count: number, numberValue: number) => shelf.sort(count, numberValue);

When('I sort {int} books by title', (count: number) => sortBooksBy(count, 1));

When('I sort {int} books by price', (number: number) => sortBooksBy(number, 2));

When('I close the shop', function () { this.shop.close(); });
