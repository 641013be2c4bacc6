const { Given, When, Then } = require('@cucumber/cucumber');

async function iOpenThePage(page) {
  this.calls = [page];
}

Given('I open the {string} page', iOpenThePage);

const fill = async function (count, name) {
  for (let i = 0; i < count; i += 1) this.calls.push(name);
};
Given('I fill in {int} names like {string}', fill);

const later = [];
const iPressTheButton = () => new Promise((done) => setTimeout(() => { later.push('press'); done(); }, 9));

Given(/^I press the button$/, iPressTheButton);

Given(/^I am logged in (-?\d+) times as "([^"]*)"$/, async function (count, name) {
  await iOpenThePage.call(this, 'it\'s a login');
  await fill.call(this, count, name);
  await iPressTheButton();
});

When('I {word}', function (act) {
  this.calls.push(act, later.length);
});

Then('all is done', function () {
  console.log('CALLS', JSON.stringify(this.calls));
});
