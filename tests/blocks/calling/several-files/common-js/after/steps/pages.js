const { Given, When, Then } = require('@cucumber/cucumber');
const { iFillIn } = require('./forms');
function iOpenThePage(page) {
  this.calls = [page];
}

Given('I open the {string} page', iOpenThePage);
async function iPressTheButton() {
  this.calls.push('press');
}

Given('I press the button', iPressTheButton);

Given('I log in as {string}', async function (name) {
  await iOpenThePage.call(this, 'login');
  await iFillIn.call(this, name);
  await iPressTheButton.call(this);
});
When('I {word}', function (act) {
  this.calls.push(act);
});
Then('all is done', function () {
  console.log('CALLS', JSON.stringify(this.calls));
});
