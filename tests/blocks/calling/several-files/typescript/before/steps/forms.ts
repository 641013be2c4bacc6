import { Given } from '@cucumber/cucumber';
import { Shop } from '../support/shop';

export function fill(this: Shop, name: string) {
  this.calls.push(name);
}
Given('I fill in {string}', fill);
