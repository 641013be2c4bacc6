import { Given, When, Then } from '@cucumber/cucumber';
import { Shop } from '../support/shop';
import { fill } from './forms';

function iOpenThePage(this: Shop, page: string) {
  this.calls = [page];
}

Given('I open the {string} page', iOpenThePage);
const iPressTheButton = async () => {};

Given('I press the button', iPressTheButton);

Given('I log in as {string}', async function (this: Shop, name: string) {
  await iOpenThePage.call(this, 'login');
  await fill.call(this, name);
  await iPressTheButton();
});
When('I {word}', function (act) {});
Then('all is done', function () {});
