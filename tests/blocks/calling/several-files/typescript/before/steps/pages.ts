import { Given, When, Then } from '@cucumber/cucumber';
import { Shop } from '../support/shop';

Given('I open the {string} page', function (this: Shop, page: string) {
  this.calls = [page];
});
Given('I press the button', async () => {});
When('I {word}', function (act) {});
Then('all is done', function () {});
