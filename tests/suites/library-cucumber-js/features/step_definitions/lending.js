const assert = require("node:assert");
const { Before, Given, When, Then } = require("@cucumber/cucumber");

Before(function () {
  this.shelf = {};
  this.readers = {};
});

Given('the library owns {int} copies of {string}', function (count, book) {
  this.shelf[book] = count;
});

Given("{string} borrows {string}", function (reader, book) {
  this.shelf[book] -= 1;
  this.readers[reader] = [...(this.readers[reader] || []), book];
});

Given(/^"([^"]*)" takes "([^"]*)" home$/, function (reader, book) {
  this.shelf[book] -= 1;
  this.readers[reader] = [...(this.readers[reader] || []), book];
});

When(`{string} returns {string}`, function (reader, book) {
  this.shelf[book] += 1;
  this.readers[reader] = this.readers[reader].filter((one) => one !== book);
});

Then(/^(\d+) copies of "([^"]*)" are on the shelf$/, function (count, book) {
  assert.strictEqual(this.shelf[book], Number(count));
});

Then("{string} has {int} book(s)", function (reader, count) {
  assert.strictEqual(this.readers[reader].length, count);
});
