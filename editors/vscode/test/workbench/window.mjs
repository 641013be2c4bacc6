// One window of the workbench, and what a person does in it.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const PICTURES = fileURLToPath(new URL("../../build/screenshots", import.meta.url));
const LIST_MS = 5_000;
const LAST_COMMAND_MS = 120_000;

export class Window {
  #context;
  #logs;
  /** Logs of windows that were there before. */
  #others;
  /** When the folder was trusted, or not. */
  began = 0;

  constructor(context, page, folder, logs) {
    this.#context = context;
    this.#logs = logs;
    this.#others = new Set(this.#logFiles());
    this.page = page;
    this.folder = folder;
    page.setDefaultTimeout(180_000);
  }

  async close() {
    await this.#context.close();
  }

  /** Text of a file of the suite as it is on disk. */
  read(file) {
    return readFileSync(path.join(this.folder, file), "utf8");
  }

  write(file, text, mode = 0o644) {
    const target = path.join(this.folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text, { mode });
    return target;
  }

  /** Settings of the folder; others that it had are gone. */
  settings(values) {
    this.write(".vscode/settings.json", JSON.stringify(values));
  }

  async openFile(file) {
    await this.page.keyboard.press("Control+P");
    await this.input(file);
    await this.#enter(path.basename(file));
    await this.page.locator(".tab.active", { hasText: path.basename(file) }).waitFor();
    await this.page.locator(".monaco-editor.focused").waitFor();
  }

  /** Run a command by its title. The list stays as it was opened, and an extension's commands may come later. */
  async command(title) {
    const end = Date.now() + LAST_COMMAND_MS;
    for (let came = false; !came; ) {
      await this.page.keyboard.press("F1");
      await this.input(`>${title}`);
      came = await this.#entry(title)
        .waitFor({ timeout: LIST_MS })
        .then(() => true)
        .catch((error) => {
          if (Date.now() > end) throw error;
          return false;
        });
      await this.page.keyboard.press(came ? "Enter" : "Escape");
    }
  }

  /** Put the cursor into the line that holds `text`. */
  async goTo(file, text) {
    const line = this.read(file).split("\n").findIndex((one) => one.includes(text)) + 1;
    await this.#goToLine(`:${line}:9`);
  }

  /** Put the cursor behind the last line that reads `text`. */
  async cursorToEndOf(file, text) {
    const line = this.read(file).split("\n").findLastIndex((one) => one.trim() === text) + 1;
    await this.#goToLine(`:${line}`);
    await this.page.keyboard.press("End");
  }

  /** The page inside a webview that shows `text`. */
  async webview(text) {
    const frame = this.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
    await frame.getByText(text).first().waitFor();
    return frame;
  }

  async saveAll() {
    await this.command("File: Save All");
    await this.page.locator(".tab.dirty").first().waitFor({ state: "detached" });
  }

  /** Entries of the open quick pick, once there is one that `text` matches. */
  async picks(text) {
    const rows = this.page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: text }).first().waitFor();
    return rows.allInnerTexts();
  }

  async pick(text) {
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first().click();
  }

  /** Type into the open input box, which shows a value or none. */
  async input(text) {
    const box = this.page.locator(".quick-input-widget:visible input.input");
    await box.waitFor();
    await box.fill(text);
  }

  notification(text) {
    return this.page.locator(".notification-list-item", { hasText: text }).first();
  }

  async picture(name) {
    mkdirSync(PICTURES, { recursive: true });
    await sleep(300); // animations
    await this.page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
  }

  /** What the extension logged in this window. */
  log() {
    const files = this.#logFiles().filter((file) => !this.#others.has(file));
    return files.map((file) => readFileSync(file, "utf8")).join("\n");
  }

  /** Take the entry that the list is on, once that is this one. */
  async #enter(text) {
    await this.#entry(text).waitFor();
    await this.page.keyboard.press("Enter");
  }

  /** The entry that the list is on, if it is this one. */
  #entry(text) {
    return this.page.locator(".quick-input-list .monaco-list-row.focused", { hasText: text });
  }

  async #goToLine(where) {
    await this.page.keyboard.press("Control+G");
    await this.input(where);
    await this.page.keyboard.press("Enter");
  }

  #logFiles() {
    const names = readdirSync(this.#logs, { recursive: true });
    return names.filter((name) => /Cukereuse\.log$/u.test(name)).map((name) => path.join(this.#logs, name));
  }
}
