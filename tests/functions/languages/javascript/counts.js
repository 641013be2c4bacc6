const { Then } = require('@cucumber/cucumber');
const { assert: check } = require('chai');
const Assert = require('chai').expect;
const { equal } = require('chai').assert;
const usual = require('./clocks').defaultClock;
const clock = require('./clocks').Clock;

Then('there are {int}', function (count) { check.equal(this.count, count); });
Then('it counts {int}', function (count) { Assert.equal(this.count, count); });
Then('they make {int}', function (count) { equal(this.count, count); });
Then('the usual clock shows {int}', function (hour) { usual.show(hour, 'h'); });
Then('the clock shows {int}', function (hour) { clock.show(hour, 'h'); });
