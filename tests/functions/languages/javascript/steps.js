const { Given, When, Then } = require('@cucumber/cucumber');
const { open } = require('./pages/basket');
const shelf = require('./pages/shelf');
const LoginPage = require('./pages/login');
const page = new LoginPage();
const LIMIT = 10;
const ROOM = 10;
let response;

Given('a basket with {int} books', async function (count) {
  // so many
  console.log('filling');
  await this.basket.fill(count);
});

Given('{int} books in the basket', async function (books) {
  return this.basket.fill(books)
});

Given('{int} books on the shelf', async function (books) {
  await this.shelf.fill(books);
});

When('I open it', () => open('a'));
When('I open it up', function () { return open("a"); });
When('I open the other one', () => open('b'));
When('I open the shelf', () => shelf.open('a'));

When('I fill it', function () { this.basket.fill(LIMIT); });
When('I fill it up', function () { this.basket.fill(ROOM); });

When('I log in', async () => { await page.login(); });

When('I tidy up', function () { sort(this.books); this.wipe(); });
When('I put in order', function () { order(this.books); this.wipe(); });
When('I make a mess', function () { mix(this.books); this.wipe(); });

function sort(books) { books.sort((a, b) => a.title < b.title); }
const order = (all) => { all.sort((x, y) => x.title < y.title); };
function mix(books) { books.shuffle(); }

When('I am named {string}', handler);
When('my name is {string}', handler);
function handler(name) { this.name = name; }
When('I am called {string}', function (name) { handler(name); });

When('I take {int} out', function (count = 1) { this.take(count); });
When('I take {int} away', function (count = 0) { this.take(count); });

Then('it was sent', () => { expect(response.status).toBe(200); });

Then('all is well', function () {
  const book = this.basket.first();
  expect(book.state).toBe('fine');
});
Then('all is very well', function () {
  const found = this.basket.first();
  expect(found.state).toBe('fine');
  expect(found.dust).toBe(0);
});
Then('it is pending', () => 'pending');
