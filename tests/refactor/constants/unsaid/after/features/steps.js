const { When } = require('@cucumber/cucumber');

const sortBooksBy = async function (count, text) {
  await this.shelf.open(count);
  await this.shelf.sort(count, text);
};

When('I sort {int} books by title', async function (count) {
  return sortBooksBy.call(this, count, 'the_title');
});

When('I sort {int} books by price', async function (number) {
  return sortBooksBy.call(this, number, 'the_price');
});

When('I close the shop', function () { this.shop.close(); });
