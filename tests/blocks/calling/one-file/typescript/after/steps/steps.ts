import { Given, When, Then } from '@cucumber/cucumber';

async function iOpenThePage(this: Shop, page: string) {
  this.calls = [page];
}

Given('I open the {string} page', iOpenThePage);
function iFillInNamesLike(this: Shop, count: number, name: string) {
  this.calls.push(name);
}

Given('I fill in {int} names like {string}', iFillInNamesLike);
const iPressTheButton = async () => {};

Given('I press the button', iPressTheButton);

Given('I am logged in {int} times as {string}', async function (this: Shop, count: number, name: string) {
  await iOpenThePage.call(this, 'it\'s a login');
  await iFillInNamesLike.call(this, count, name);
  await iPressTheButton();
});
When('I {word}', function (act) {});
Then('all is done', function () {});
