const { Given, When, Then } = require('@cucumber/cucumber');
Given('I open the {string} page', function (page) {
  this.calls = [page];
});
Given('I press the button', async function () {
  this.calls.push('press');
});
When('I {word}', function (act) {
  this.calls.push(act);
});
Then('all is done', function () {
  console.log('CALLS', JSON.stringify(this.calls));
});
