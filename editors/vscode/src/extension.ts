// Puts the parts together; each command is a module of its own.

import * as vscode from "vscode";
import { COMMANDS } from "./commands";
import { showReferences, showWordings } from "./commands/references";
import { DEBUG, RUN, SHOW_REFERENCES, SHOW_WORDINGS } from "./commands/sentByServer";
import { onPythonChange } from "./environment";
import { Session } from "./session";
import { StatusItem } from "./status";
import { Testing } from "./testingView";
import { WORDING_USED, reach, watchWalkthrough } from "./walkthrough";

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("Cukereuse", { log: true });
  const current = (session = new Session(context, log));
  const testing = new Testing(current);
  const command = (id: string, work: (...args: unknown[]) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(id, work);
  context.subscriptions.push(
    log,
    new StatusItem(current),
    testing,
    watchWalkthrough(),
    command(WORDING_USED, () => reach("wordingUsed")),
    command(RUN, (uri, line) => testing.runAt(uri, line)),
    command(DEBUG, (uri, line) => testing.runAt(uri, line, true)),
    ...Object.entries(COMMANDS).map(([name, work]) => command(`cukereuse.${name}`, (...args) => work(current, args))),
    command(SHOW_REFERENCES, (...args) => showReferences(current, args)),
    command(SHOW_WORDINGS, (...args) => showWordings(current, args)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => current.restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("cukereuse.server.path")) void current.restart();
    }),
  );
  // not awaited: a question to the user must not hold back the commands
  void current.restart();
  const python = await onPythonChange(() => {
    if (current.server?.origin !== "setting") void current.restart();
  });
  if (python) context.subscriptions.push(python);
}

export async function deactivate(): Promise<void> {
  await session?.dispose();
}
