// Show Status: what serves, what it knows, and what can be done about it.

import * as vscode from "vscode";
import { describe } from "../findServer";
import type { Session } from "../session";
import { describeShown, describeStatus, requestStatus, shown } from "../status";

interface Entry extends vscode.QuickPickItem {
  readonly command?: string;
}

const ACTIONS: readonly Entry[] = [
  { label: "$(graph) Show duplicate report", command: "cukereuse.showReport" },
  { label: "$(search) Scan workspace", command: "cukereuse.scanWorkspace" },
  { label: "$(debug-restart) Restart server", command: "cukereuse.restartServer" },
  { label: "$(output) Show log", command: "cukereuse.showLog" },
];
const INSTALL: Entry = { label: "$(cloud-download) Install the extension's own server", command: "cukereuse.installServer" };
/** A command of the server's own, which the language client registers. */
const DOWNLOAD: Entry = { label: "$(cloud-download) Download the language model, to find steps that mean the same", command: "cukereuse.downloadModel" };

export async function showStatus(session: Session): Promise<void> {
  const { server } = session;
  const running = session.client?.isRunning() ?? false;
  const status = running ? await requestStatus(session) : undefined;
  const lines = [
    ...(server ? [`${running ? "running" : "stopped"}: ${server.command}, ${describe(server)}`] : [session.starting ? "the server is starting" : "no server was found"]),
    ...(status ? describeStatus(status) : []),
    ...(status && !status.complete ? ["still reading"] : []),
    `${describeShown(shown())} in ${session.scanning ? "the workspace" : "open files"}`,
  ];
  session.log.info(lines.join("\n"));
  const told: Entry[] = lines.map((label) => ({ label }));
  const separator: Entry = { label: "", kind: vscode.QuickPickItemKind.Separator };
  const lexical = status && !status.model && !status.failed;
  const entries = [...told, separator, ...(server ? [] : [INSTALL]), ...(lexical ? [DOWNLOAD] : []), ...ACTIONS];
  const picked = await vscode.window.showQuickPick(entries, { title: "Cukereuse", placeHolder: "What next?" });
  if (picked?.command) await vscode.commands.executeCommand(picked.command);
}
