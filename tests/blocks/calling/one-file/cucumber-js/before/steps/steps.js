const { Given, When, Then } = require('@cucumber/cucumber');

Given('I open the {string} page', async function (page) {
  this.calls = [page];
});

const fill = async function (count, name) {
  for (let i = 0; i < count; i += 1) this.calls.push(name);
};
Given('I fill in {int} names like {string}', fill);

const later = [];
Given(/^I press the button$/, () => new Promise((done) => setTimeout(() => { later.push('press'); done(); }, 9)));

When('I {word}', function (act) {
  this.calls.push(act, later.length);
});

Then('all is done', function () {
  console.log('CALLS', JSON.stringify(this.calls));
});
