const { Given, When, Then, defineStep: anyStep, defineParameterType } = require('@cucumber/cucumber')

const LID = 'the lid is {state}'
const STATE = 'open'

defineParameterType({ name: 'state', regexp: [/open/, /half-open/], transformer: (text) => text })
defineParameterType({ name: 'count', regexp: buildIt() })

Given('the machine is ready', function () {})

Given("there are {int} apples", { timeout: 5000 }, async (count) => {})

When('{string} takes {int} of them', takes)

Then(/^it holds (\d+) apples?$/, function holds(count) {})

Then(new RegExp('^the sign is (red|amber)$', 'i'), function () {})

Then('it costs {int} \u20ac \\(net)', function (price) {})

anyStep(`the lid is ${STATE} now`, () => {})

Then(LID, () => {})

Then('the lid ' + 'was {state}', () => {})

Then(/^https:\/\/lid\/(.*)$/, () => {})

Then(computed(), () => {})

promise.then('not a step', () => {})
Given('a call without a function')
