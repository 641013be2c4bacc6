const { Given } = require('@cucumber/cucumber');

function iFillIn(name) {
  this.calls.push(name);
}

Given('I fill in {string}', iFillIn);

module.exports.iFillIn = iFillIn;
