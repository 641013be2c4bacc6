const { When } = require('@cucumber/cucumber');

When('I sort {int} books by {word}', async function (count, text) {
  await this.shelf.sort(count, text);
});

When('I close the shop', function () { this.shop.close(); });
