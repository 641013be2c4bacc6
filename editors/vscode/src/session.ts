// The running server: found, started, stopped, started again.

import * as vscode from "vscode";
import { type LanguageClient, State } from "vscode-languageclient/node";
import { type Progress, createClient } from "./client";
import { findServer, installServer } from "./findServer";
import { Prompts } from "./prompts";
import type { Probed } from "./server/choose";
import { reach } from "./walkthrough";

const CONTEXT = "cukereuse.serverRunning";

export class Session implements vscode.Disposable {
  client: LanguageClient | undefined;
  server: Probed | undefined;
  /** The extension's own server is being made. */
  installing = false;
  /** Findings of the whole workspace in the Problems panel, until the window is closed. */
  scanning = false;
  /** A server is being looked for, or starts. */
  starting = false;
  readonly prompts = new Prompts();

  private readonly changed = new vscode.EventEmitter<void>();
  private readonly progressed = new vscode.EventEmitter<[string | number, Progress]>();
  private turn: Promise<void> = Promise.resolve();

  /** Another server, or none. */
  readonly onDidChange = this.changed.event;
  readonly onProgress = this.progressed.event;

  constructor(
    readonly context: vscode.ExtensionContext,
    readonly log: vscode.LogOutputChannel,
  ) {}

  /** Find a server and start it in place of the one that runs. Never rejects: what went wrong has been said. */
  restart(find: () => Promise<Probed | undefined> = () => findServer(this)): Promise<void> {
    this.turn = this.turn
      .then(() => this.replace(find))
      .catch((error: unknown) => this.complain(error))
      .finally(() => {
        this.starting = false;
        this.changed.fire();
      });
    return this.turn;
  }

  /** The client of a server that runs; where one is on its way, that is waited for. Else the user is told. */
  async running(): Promise<LanguageClient | undefined> {
    if (this.starting) {
      const options = { location: vscode.ProgressLocation.Window, title: "cukereuse: the server is starting" };
      await vscode.window.withProgress(options, () => this.turn);
    }
    if (this.client?.isRunning()) return this.client;
    const restart = "Restart Server";
    const show = "Show Status";
    void vscode.window.showWarningMessage("The cukereuse server is not running.", restart, show).then((answer) => {
      if (answer === restart) void this.restart();
      if (answer === show) void vscode.commands.executeCommand("cukereuse.showStatus");
    });
    return undefined;
  }

  install(): Promise<void> {
    return this.restart(async () => {
      this.installing = true;
      this.changed.fire();
      try {
        return await installServer(this);
      } finally {
        this.installing = false;
        this.changed.fire();
      }
    });
  }

  async dispose(): Promise<void> {
    this.changed.dispose();
    this.progressed.dispose();
    this.prompts.dispose();
    await this.stop();
  }

  private async replace(find: () => Promise<Probed | undefined>): Promise<void> {
    this.starting = true;
    this.changed.fire();
    // found first: an installation takes a minute, and the old server serves meanwhile
    const server = await find();
    if (!server && this.client) return;
    await this.stop();
    this.server = server;
    if (server) await this.start(server);
  }

  private async start(server: Probed): Promise<void> {
    const client = createClient({
      command: server.command,
      context: this.context,
      log: this.log,
      onProgress: (token, value) => this.progressed.fire([token, value]),
      scanning: () => this.scanning,
      prompts: this.prompts,
    });
    client.onDidChangeState(({ newState }) => {
      void vscode.commands.executeCommand("setContext", CONTEXT, newState === State.Running);
      if (newState === State.Running) reach("serverRan");
      this.changed.fire();
    });
    this.client = client;
    await client.start();
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      this.log.warn(`the server did not stop cleanly: ${String(error)}`);
    }
  }

  private complain(error: unknown): void {
    this.log.error(error instanceof Error ? error : String(error));
    this.client = undefined;
    const again = "Try Again";
    const show = "Show Log";
    const message = "The cukereuse server could not be started. See the log for the reason.";
    void vscode.window.showErrorMessage(message, again, show).then((answer) => {
      if (answer === again) void this.restart();
      if (answer === show) this.log.show();
    });
  }
}
