import { Fixture, Given, When } from 'playwright-bdd/decorators';
import type { Lawn } from './lawn';

export class DeskPage {
  constructor(private readonly lawn: Lawn, public page: Page) {}

  @Given('the desk is clean')
  async clean() {
    await this.lawn.mow(this.page);
    await this.wipe();
  }

  private async wipe() {
    await this.page.press('Wipe');
  }
}

export class TablePage {
  constructor(private readonly lawn: Lawn, public page: Page) {}

  @Given('the table is clean')
  async clean() {
    await this.lawn.mow(this.page);
    await this.sweep();
  }

  @When('the table is dirty')
  async dirty() {
    await this.lawn.mow(this.page);
    await this.spill();
  }

  private async sweep() {
    await this.page.press('Wipe');
  }

  private async spill() {
    await this.page.press('Spill');
  }
}

export class ShedPage {
  constructor(private log: (message: string) => unknown, public page: Page) {}

  @Given('the shed is open')
  async open() {
    this.log(`opening ${this.page}`);
    await this.page.press('Open');
  }

  @Given('the shed stands open')
  async stands() {
    await this.page.press('Open');
  }
}

class Fence {
  async open() {}
}

export class Gate extends Fence {
  @Given('the gate opens')
  override async open() { await super.open(); }
}

export class Door extends LawnFence {
  @Given('the door opens')
  override async open() { await super.open(); }
}
