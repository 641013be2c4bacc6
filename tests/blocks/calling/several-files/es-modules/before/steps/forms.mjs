import { Given } from '@cucumber/cucumber';

Given('I fill in {string}', function (name) {
  this.calls.push(name);
});
