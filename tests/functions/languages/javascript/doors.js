import { When } from '@cucumber/cucumber';
import { shut, slam } from './pages/doors';
import { seal } from './pages/bolts';
import * as doors from './pages/doors';
import { log, print } from './pages/journal';

When('I shut the lid', () => shut('a'));
When('I seal the lid', () => seal('a'));
When('I close the lid', () => { doors.shut('a'); });
When('I slam the lid', () => slam('a'));
When('I shut the box', () => shut('b'));
When('I lift the lid', function () { this.lid.lift(); });
When('I lift the lid and say so', function () { this.lid.lift(); print('lifted'); });
When('I lift the lid and note it', function () { this.lid.lift(); log('lifted'); });
When('I warn of the lid', function () { this.lid.lift(); printf('lifted'); });
When('I pass by the lid', function () { this.lid.lift(); echo('lifted'); });

function printf(text) { journal.write(text); }
function echo(text) { console.log(text); }
