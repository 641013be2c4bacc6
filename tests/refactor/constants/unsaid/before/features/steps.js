const { When } = require('@cucumber/cucumber');

When('I sort {int} books by title', async function (count) {
  await this.shelf.open(count);
  await this.shelf.sort(count, 'the_title');
});

When('I sort {int} books by price', async function (number) {
  await this.shelf.open(number);
  await this.shelf.sort(number, 'the_price');
});

When('I close the shop', function () { this.shop.close(); });
