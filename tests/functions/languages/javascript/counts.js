const { Then } = require('@cucumber/cucumber');
const { assert: check } = require('chai');
const Assert = require('chai').expect;
const { equal } = require('chai').assert;

Then('there are {int}', function (count) { check.equal(this.count, count); });
Then('it counts {int}', function (count) { Assert.equal(this.count, count); });
Then('they make {int}', function (count) { equal(this.count, count); });
