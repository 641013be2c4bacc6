// Scan Workspace: findings of every file in the Problems panel, until the window is closed.

import * as vscode from "vscode";
import type { Session } from "../session";
import { findings, requestStatus } from "../status";
import { counted } from "../text";

const LOOK_MS = 250;
const SETTLED_MS = 3_000;

export async function scanWorkspace(session: Session): Promise<void> {
  const client = session.client;
  if (!client) {
    void vscode.window.showWarningMessage("The cukereuse server does not run.");
    return;
  }
  session.scanning = true;
  // the server asks for its settings again, and gets the wish with them
  await client.sendNotification("workspace/didChangeConfiguration", { settings: null });
  await vscode.commands.executeCommand("workbench.actions.view.problems");
  const location = vscode.ProgressLocation.Window;
  await vscode.window.withProgress({ location, title: "cukereuse: scanning the workspace" }, () => settled(session));
  const files = vscode.languages
    .getDiagnostics()
    .filter(([, diagnostics]) => diagnostics.some((one) => one.source === "cukereuse")).length;
  const found = findings();
  const where = found ? ` in ${counted(files, "file")}; the Problems panel lists them` : "";
  void vscode.window.showInformationMessage(`${counted(found, "finding")}${where}.`);
}

/** Wait until the server has read everything and no finding has come for a while. */
async function settled(session: Session): Promise<void> {
  let last = -1;
  let since = Date.now();
  while (session.client?.isRunning()) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const now = findings();
    const complete = (await requestStatus(session))?.complete ?? true;
    if (now !== last || !complete) {
      last = now;
      since = Date.now();
    } else if (Date.now() - since > SETTLED_MS) return;
  }
}
