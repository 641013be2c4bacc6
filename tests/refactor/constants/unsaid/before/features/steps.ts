import { When } from '@cucumber/cucumber';

When('I sort {int} books by title', (count: number) => shelf.sort(count, 1));

When('I sort {int} books by price', (number: number) => shelf.sort(number, 2));

When('I close the shop', function () { this.shop.close(); });
