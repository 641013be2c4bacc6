const { Given } = require('@cucumber/cucumber');

Given('I fill in {string}', function (name) {
  this.calls.push(name);
});
