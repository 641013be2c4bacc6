// Show Duplicate Report: the HTML report of a folder in a webview; its links open the steps.

import { randomBytes } from "node:crypto";
import * as fs from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { settingsFor } from "../client";
import { localFolders } from "../environment";
import { LINK_TEMPLATE, type StepPlace, forWebview, placeOf } from "../report/page";
import { run } from "../server/run";
import type { Session } from "../session";
import { asEnvironment } from "../settings";
import { utf16Offset } from "../text";
import { reach } from "../walkthrough";

const panels = new Map<string, vscode.WebviewPanel>();

export async function showReport(session: Session): Promise<void> {
  const folder = await chooseFolder();
  const command = folder && (await session.running()) && session.server?.command;
  if (!folder || !command) return;
  const location = vscode.ProgressLocation.Notification;
  const title = "Creating the duplicate report";
  const html = await vscode.window.withProgress({ location, title, cancellable: true }, (_, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    return makeReport(session, command, folder, stop.signal);
  });
  if (html) show(session, folder, html);
}

async function chooseFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = localFolders();
  if (folders.length > 1) {
    const picked = await vscode.window.showWorkspaceFolderPick({ placeHolder: "Which folder's report?" });
    return picked;
  }
  if (!folders[0]) void vscode.window.showInformationMessage("Open a folder to see its report.");
  return folders[0];
}

/** The report for a webview; undefined where there is none, which has been said. */
async function makeReport(
  session: Session,
  command: string,
  folder: vscode.WorkspaceFolder,
  signal: AbortSignal,
): Promise<string | undefined> {
  const scratch = await fs.mkdtemp(path.join(os.tmpdir(), "cukereuse-"));
  try {
    const file = path.join(scratch, "report.html");
    const settings = settingsFor(session.context, folder.uri.toString());
    // offline: the server asks before a model is downloaded, a report never is the reason for it
    const args = ["scan", folder.uri.fsPath, "--html", file, "--html-links", LINK_TEMPLATE, "--fail-on", "off", "--offline"];
    const ran = await run(command, args, {
      cwd: folder.uri.fsPath,
      env: asEnvironment(settings, process.env),
      signal,
    });
    if (signal.aborted) return undefined;
    if (ran.code !== 0) throw new Error(ran.stderr.trim() || `cukereuse scan ended with ${ran.code}`);
    return forWebview(await fs.readFile(file, "utf8"), randomBytes(16).toString("hex"));
  } catch (error) {
    session.log.error(String(error));
    void vscode.window.showErrorMessage(`The report could not be created: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  } finally {
    await fs.rm(scratch, { recursive: true, force: true });
  }
}

function show(session: Session, folder: vscode.WorkspaceFolder, html: string): void {
  const key = folder.uri.toString();
  let panel = panels.get(key);
  if (!panel) {
    panel = vscode.window.createWebviewPanel(
      "cukereuse.report",
      `Duplicates: ${folder.name}`,
      vscode.ViewColumn.Active,
      { enableScripts: true, retainContextWhenHidden: true, enableFindWidget: true, localResourceRoots: [] },
    );
    panels.set(key, panel);
    panel.onDidDispose(() => panels.delete(key));
    panel.webview.onDidReceiveMessage((message: unknown) => {
      const place = placeOf((message as { open?: unknown } | null)?.open);
      if (place) open(place).catch((error: unknown) => session.log.error(String(error)));
    });
  }
  panel.webview.html = html;
  panel.reveal();
  reach("reportShown");
}

async function open(place: StepPlace): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(place.path));
  const line = Math.min(Math.max(place.line - 1, 0), document.lineCount - 1);
  const at = new vscode.Position(line, utf16Offset(document.lineAt(line).text, place.column));
  // beside, so that the report stays in sight
  const viewColumn = vscode.ViewColumn.Beside;
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at), viewColumn });
}
