import { Given } from '@cucumber/cucumber';

function iFillIn(name) {
  this.calls.push(name);
}

Given('I fill in {string}', iFillIn);

export { iFillIn };
