// A real workbench: code-server with the packaged extension, and a page of Chromium that shows it.

import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const EXTENSION = fileURLToPath(new URL("../..", import.meta.url));
const SUITE = path.join(EXTENSION, "../../tests/suites/webshop");
const ENTRY = path.join(process.env.CUKEREUSE_WORKBENCH, "node_modules/code-server/out/node/entry.js");
const PICTURES = path.join(EXTENSION, "build/screenshots");

const SETTINGS = {
  "editor.minimap.enabled": false,
  "files.autoSave": "off",
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "window.commandCenter": false,
  "workbench.colorTheme": "Default Light Modern",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};

export class Workbench {
  /** A workbench that shows an own copy of the webshop suite. `server`: whether its Python environment has cukereuse. */
  static async open({ server = true, settings = {} } = {}) {
    const root = mkdtempSync(path.join(tmpdir(), "workbench-"));
    const folder = path.join(root, "web#shop 100%");
    cpSync(SUITE, folder, { recursive: true });
    const workbench = new Workbench();
    Object.assign(workbench, { root, folder, closers: [() => rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })] });
    try {
      await workbench.#install(settings);
      if (server) workbench.#addEnvironment();
      await workbench.#serve();
      await workbench.#browse();
    } catch (error) {
      await workbench.close();
      throw error;
    }
    return workbench;
  }

  async close() {
    for (const close of this.closers.reverse()) await close();
  }

  /** Text of a file of the suite as it is on disk. */
  read(file) {
    return readFileSync(path.join(this.folder, file), "utf8");
  }

  async openFile(file) {
    await this.page.keyboard.press("Control+P");
    await this.#fill(file);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: path.basename(file) }).first().waitFor();
    await this.page.keyboard.press("Enter");
    await this.page.locator(".tab.active", { hasText: path.basename(file) }).waitFor();
    await this.page.locator(".monaco-editor .view-lines").first().click();
  }

  /** Run a command by its title. */
  async command(title) {
    await this.page.keyboard.press("F1");
    await this.#fill(`>${title}`);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().waitFor();
    await this.page.keyboard.press("Enter");
  }

  /** Put the cursor into the line that holds `text`. */
  async goTo(file, text) {
    const line = this.read(file).split("\n").findIndex((one) => one.includes(text)) + 1;
    await this.page.keyboard.press("Control+G");
    await this.#fill(`:${line}:9`);
    await this.page.keyboard.press("Enter");
  }

  /** Put the cursor behind the last line that reads `text`. */
  async cursorToEndOf(file, text) {
    const lines = this.read(file).split("\n");
    const line = lines.findLastIndex((one) => one.trim() === text) + 1;
    await this.page.keyboard.press("Control+G");
    await this.#fill(`:${line}`);
    await this.page.keyboard.press("Enter");
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
    await this.#fill(text);
  }

  async picture(name) {
    mkdirSync(PICTURES, { recursive: true });
    await sleep(300); // animations
    await this.page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
  }

  /** What the extension logged. */
  log() {
    const logs = path.join(this.root, "data/logs");
    const files = readdirSync(logs, { recursive: true }).filter((name) => /Cukereuse\.log$/u.test(name));
    return files.map((name) => readFileSync(path.join(logs, name), "utf8")).join("\n");
  }

  async #fill(text) {
    const box = this.page.locator(".quick-input-widget:visible input.input");
    await box.waitFor();
    await box.fill(text);
  }

  async #install(settings) {
    const user = path.join(this.root, "data/User");
    mkdirSync(user, { recursive: true });
    writeFileSync(path.join(user, "settings.json"), JSON.stringify({ ...SETTINGS, ...settings }));
    const vsix = path.join(EXTENSION, "build/cukereuse.vsix");
    const code = await new Promise((resolve) => {
      this.#node(["--install-extension", vsix]).on("close", resolve);
    });
    if (code !== 0) throw new Error(`the extension could not be installed (${code})`);
  }

  /** PATH is of no use: the workbench asks the user's login shell for it. */
  #addEnvironment() {
    const bin = path.join(this.folder, ".venv/bin");
    mkdirSync(bin, { recursive: true });
    symlinkSync(process.env.CUKEREUSE_COMMAND, path.join(bin, "cukereuse"));
  }

  async #serve() {
    const port = await freePort();
    const own = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check"];
    const env = { CUKEREUSE_CACHE_DIR: path.join(this.root, "cache"), CUKEREUSE_OFFLINE: "1" };
    const child = this.#node([...own, "--disable-workspace-trust", "--disable-getting-started-override"], env);
    this.closers.push(async () => {
      child.kill();
      await new Promise((resolve) => (child.exitCode === null ? child.on("close", resolve) : resolve()));
    });
    this.address = `http://127.0.0.1:${port}`;
    for (let tries = 0; ; tries++) {
      try {
        await fetch(`${this.address}/healthz`);
        return;
      } catch (error) {
        if (tries > 150) throw error;
        await sleep(200);
      }
    }
  }

  #node(args, env = {}) {
    const folders = ["--user-data-dir", path.join(this.root, "data"), "--extensions-dir", path.join(this.root, "ext")];
    // an empty configuration: the user's own must not matter
    const config = path.join(this.root, "config.yaml");
    writeFileSync(config, "");
    return spawn(process.execPath, [ENTRY, "--config", config, ...folders, ...args], {
      env: { ...process.env, ...env },
      stdio: process.env.WORKBENCH_VERBOSE ? "inherit" : "ignore",
    });
  }

  async #browse() {
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
    this.closers.push(() => browser.close());
    this.page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    this.page.setDefaultTimeout(30_000);
    await this.page.goto(`${this.address}/?folder=${encodeURIComponent(this.folder)}`);
    await this.page.locator(".monaco-workbench").waitFor();
    await this.page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
