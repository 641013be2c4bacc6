import { Given, When, Then } from '@cucumber/cucumber';

Given('I open the {string} page', async function (this: Shop, page: string) {
  this.calls = [page];
});
Given('I fill in {int} names like {string}', function (this: Shop, count: number, name: string) {
  this.calls.push(name);
});
Given('I press the button', async () => {});
When('I {word}', function (act) {});
Then('all is done', function () {});
