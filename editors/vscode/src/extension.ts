// Puts the parts together; each command is a module of its own.

import * as vscode from "vscode";
import { DEBUG, EXTRACT, FIND_SIMILAR, RENAME_CLUSTER, RUN, SHOW_REFERENCES, SHOW_WORDINGS } from "./commands/sentByServer";
import { extractSteps } from "./commands/extract";
import { showReferences, showWordings } from "./commands/references";
import { renameCluster } from "./commands/rename";
import { showReport } from "./commands/report";
import { scanWorkspace } from "./commands/scan";
import { findSimilarSteps } from "./commands/similar";
import { showStatus } from "./commands/status";
import { onPythonChange } from "./environment";
import { Session } from "./session";
import { StatusItem } from "./status";
import { Testing } from "./testingView";

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
    command(RUN, (uri, line) => testing.runAt(uri, line)),
    command(DEBUG, (uri, line) => testing.runAt(uri, line, true)),
    command(FIND_SIMILAR, (...args) => findSimilarSteps(current, args)),
    command(RENAME_CLUSTER, (...args) => renameCluster(current, args)),
    command(EXTRACT, (...args) => extractSteps(current, args)),
    command(SHOW_REFERENCES, (...args) => showReferences(current, args)),
    command(SHOW_WORDINGS, (...args) => showWordings(current, args)),
    command("cukereuse.showReport", () => showReport(current)),
    command("cukereuse.scanWorkspace", () => scanWorkspace(current)),
    command("cukereuse.showStatus", () => showStatus(current)),
    command("cukereuse.restartServer", () => current.restart()),
    command("cukereuse.showLog", () => log.show()),
    command("cukereuse.installServer", () => current.install()),
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
