// A real workbench: code-server with the packaged extension, and a Chromium whose pages are its windows.

import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { Window } from "./window.mjs";

const EXTENSION = fileURLToPath(new URL("../..", import.meta.url));
const SUITES = path.join(EXTENSION, "../../tests/suites");
const ENTRY = path.join(process.env.CUKEREUSE_WORKBENCH, "node_modules/code-server/out/node/entry.js");

/** Nothing moves by itself: each frame is drawn without a graphics card. */
const SETTINGS = {
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
  "editor.wordBasedSuggestions": "off",
  "files.autoSave": "off",
  "remote.autoForwardPorts": false,
  "security.workspace.trust.banner": "never",
  "security.workspace.trust.startupPrompt": "always",
  "telemetry.telemetryLevel": "off",
  "window.commandCenter": false,
  "workbench.reduceMotion": "on",
  "workbench.colorTheme": "Default Light Modern",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};

export class Workbench {
  #root;
  #address;
  #browser;
  #closers = [];
  #windows = 0;

  static async start() {
    const workbench = new Workbench();
    try {
      await workbench.#start();
    } catch (error) {
      await workbench.close();
      throw error;
    }
    return workbench;
  }

  async close() {
    for (const close of this.#closers.reverse()) await close();
  }

  /** Folder of the server's caches. */
  get cache() {
    return path.join(this.#root, "cache");
  }

  /** Install an extension for the windows that are opened from now on. */
  async add(vsix) {
    const child = this.#node(["--install-extension", vsix]);
    const code = await new Promise((resolve) => child.on("close", resolve));
    if (code !== 0) throw new Error(`${vsix} could not be installed (${code})`);
  }

  /**
   * A window on an own copy of `suite`, or on `folder`. `server`: what stands in its Python environment for
   * `cukereuse`, a text that becomes a script, the command under test, or what a function of the folder gives.
   * `trusted`: what the user answers. `change`: what is done to the copy before. `beside`: name of a second copy, opened
   * together with the first.
   */
  async open({ suite = "webshop", folder, server = process.env.CUKEREUSE_COMMAND, trusted = true, change, beside } = {}) {
    if (!folder) {
      folder = path.join(this.#root, `#${++this.#windows} 100%`, suite);
      cpSync(path.join(SUITES, suite), folder, { recursive: true });
      change?.(folder);
    }
    const given = typeof server === "function" ? server(folder) : server;
    if (given) addServer(folder, given);
    const opened = beside ? `workspace=${encodeURIComponent(addFolder(folder, path.join(SUITES, suite), beside))}` : `folder=${encodeURIComponent(folder)}`;
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
    const window = new Window(context, await context.newPage(), folder, path.join(this.#root, "data/logs"));
    await window.page.goto(`${this.#address}/?${opened}`);
    await window.page.locator(".monaco-workbench").waitFor();
    await window.page.getByRole("button", { name: trusted ? "Yes, I trust" : "No, I don't trust" }).click();
    window.began = Date.now();
    await window.page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
    return window;
  }

  async #start() {
    this.#root = mkdtempSync(path.join(tmpdir(), "workbench-"));
    this.#closers.push(() => rmSync(this.#root, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }));
    const user = path.join(this.#root, "data/User");
    mkdirSync(user, { recursive: true });
    mkdirSync(path.join(this.#root, "data/logs"));
    writeFileSync(path.join(user, "settings.json"), JSON.stringify(SETTINGS));
    // an empty configuration: the user's own must not matter
    writeFileSync(path.join(this.#root, "config.yaml"), "");
    await this.add(path.join(EXTENSION, "build/cukereuse.vsix"));
    await this.#serve();
    this.#browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
    this.#closers.push(() => this.#browser.close());
  }

  async #serve() {
    const port = await freePort();
    const own = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check"];
    const env = { CUKEREUSE_CACHE_DIR: this.cache, CUKEREUSE_OFFLINE: "1" };
    const child = this.#node([...own, "--disable-getting-started-override"], env);
    this.#closers.push(async () => {
      child.kill();
      await new Promise((resolve) => (child.exitCode === null ? child.on("close", resolve) : resolve()));
    });
    this.#address = `http://127.0.0.1:${port}`;
    for (let tries = 0; ; tries++) {
      try {
        await fetch(`${this.#address}/healthz`);
        return;
      } catch (error) {
        if (tries > 900) throw error;
        await sleep(200);
      }
    }
  }

  #node(args, env = {}) {
    const folders = ["--user-data-dir", path.join(this.#root, "data"), "--extensions-dir", path.join(this.#root, "ext")];
    return spawn(process.execPath, [ENTRY, "--config", path.join(this.#root, "config.yaml"), ...folders, ...args], {
      env: { ...process.env, ...env },
      stdio: process.env.WORKBENCH_VERBOSE ? "inherit" : "ignore",
    });
  }
}

/** The package of an extension in a folder. */
export function packageOf(folder) {
  const vsix = path.join(EXTENSION, "build", `${path.basename(folder)}.vsix`);
  const options = ["--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", vsix];
  execFileSync("npx", ["vsce", "package", ...options], { cwd: folder, stdio: "ignore" });
  return vsix;
}

/** PATH is of no use: the workbench asks the user's login shell for it. */
function addServer(folder, server) {
  const bin = path.join(folder, ".venv/bin");
  mkdirSync(bin, { recursive: true });
  const command = path.join(bin, "cukereuse");
  if (server.includes("\n")) writeFileSync(command, server, { mode: 0o755 });
  else symlinkSync(server, command);
}

/** Another copy of the suite, whose `checkout.feature` is `till.feature`, and the file of a workspace of both. */
function addFolder(folder, suite, name) {
  const other = path.join(path.dirname(folder), name);
  cpSync(suite, other, { recursive: true });
  renameSync(path.join(other, "features/checkout.feature"), path.join(other, "features/till.feature"));
  const workspace = path.join(path.dirname(folder), "two.code-workspace");
  writeFileSync(workspace, JSON.stringify({ folders: [{ path: folder }, { path: other }] }));
  return workspace;
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
