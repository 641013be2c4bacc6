const { Then } = require('@cucumber/cucumber');
const Assert = require('chai').assert;

Then('the count is {int}', function (count) { Assert.equal(this.count, count); });
