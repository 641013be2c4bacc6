// Questions that nobody asked for: one at a time, and none while another dialog may stand before it.

import * as vscode from "vscode";

/** As long as VS Code shows a notification with buttons; whoever has not answered by then is asked something else. */
const SHOWN_MS = 20_000;

export class Prompts {
  private last: Promise<void> = Promise.resolve();

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
    await undisturbed();
    const gone = setTimeout(release, SHOWN_MS);
    try {
      return await show();
    } finally {
      clearTimeout(gone);
      release();
    }
  }
}

/** In a folder that is not trusted, the question whether it is stands before all: wait until the user works again. */
function undisturbed(): Promise<void> {
  if (vscode.workspace.isTrusted) return Promise.resolve();
  return new Promise((resolve) => {
    const listeners: vscode.Disposable[] = [];
    const go = (): void => {
      listeners.forEach((one) => one.dispose());
      resolve();
    };
    listeners.push(
      vscode.workspace.onDidGrantWorkspaceTrust(go),
      vscode.window.onDidChangeActiveTextEditor(go),
      vscode.window.onDidChangeTextEditorSelection(go),
    );
  });
}
