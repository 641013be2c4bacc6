import { When, Then } from '@cucumber/cucumber';
import { open } from './pages/shelf';
import Login from './pages/login';

const loginPage = new Login();
let response;

When('I open the drawer', () => open('a'));
When('I sign in', async () => { await loginPage.login(); });
Then('it was received', () => { expect(response.status).toBe(200); });
