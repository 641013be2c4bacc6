// Questions that nobody asked for: one at a time, and none while another dialog may stand before it.

import * as vscode from "vscode";

/** As long as VS Code shows a notification with buttons; whoever has not answered by then is asked something else. */
const SHOWN_MS = 20_000;

export class Prompts implements vscode.Disposable {
  /** From the start on: what the user does while a server is looked for counts. */
  private readonly activity = new Activity();
  private last: Promise<void> = Promise.resolve();

  dispose(): void {
    this.activity.dispose();
  }

  /** What the user chose; undefined where the question was closed. */
  ask<T extends string>(message: string, ...choices: readonly T[]): Promise<T | undefined> {
    return this.inTurn(() => vscode.window.showInformationMessage(message, ...choices));
  }

  /** Show once what was shown before is answered, or gone from the screen. */
  async inTurn<T>(show: () => Thenable<T>): Promise<T> {
    const before = this.last;
    let release = (): void => undefined;
    this.last = new Promise<void>((resolve) => (release = resolve));
    await before;
    await this.activity.undisturbed();
    const gone = setTimeout(release, SHOWN_MS);
    try {
      return await show();
    } finally {
      clearTimeout(gone);
      release();
    }
  }
}

/**
 * In a folder that is not trusted, the question whether it is stands before all. VS Code does not tell whether it is open;
 * but whoever works in an editor has answered. On a busy machine that may have been before this extension was started.
 */
class Activity implements vscode.Disposable {
  private readonly listeners: vscode.Disposable[];
  private go = (): void => undefined;
  private readonly seen = new Promise<void>((resolve) => (this.go = resolve));

  constructor() {
    const seen = (): void => this.go();
    if (vscode.window.activeTextEditor) seen();
    this.listeners = [
      vscode.workspace.onDidGrantWorkspaceTrust(seen),
      vscode.window.onDidChangeActiveTextEditor(seen),
      vscode.window.onDidChangeTextEditorSelection(seen),
    ];
  }

  undisturbed(): Promise<void> {
    return vscode.workspace.isTrusted ? Promise.resolve() : this.seen;
  }

  dispose(): void {
    this.listeners.forEach((one) => one.dispose());
  }
}
