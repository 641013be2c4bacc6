// Scan Workspace: findings of every file in the Problems panel, until the window is closed.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { FINDINGS, type Findings, type Status } from "../protocol";
import type { Session } from "../session";
import { requestStatus, type Shown, shown } from "../status";
import { counted } from "../text";

const LOOK_MS = 250;
/** For the Problems panel; what is told does not wait longer for it. */
const PATIENCE_MS = 20_000;
/** After which the server is asked again: somebody may have typed since. */
const RENEW_MS = 2_000;
const REPORT = "Show Report";

export async function scanWorkspace(session: Session): Promise<void> {
  const client = await session.running();
  if (!client) return;
  session.scanning = true;
  // the server asks for its settings again, and gets the wish with them
  await client.sendNotification("workspace/didChangeConfiguration", { settings: null });
  await vscode.commands.executeCommand("workbench.actions.view.problems");
  const location = vscode.ProgressLocation.Notification;
  const title = "Scanning the workspace";
  const done = await vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) =>
    settled(session, (message) => progress.report({ message }), token),
  );
  if (!done) return;
  const answer = await vscode.window.showInformationMessage(describeListed(await listed(client)), REPORT);
  if (answer === REPORT) await vscode.commands.executeCommand("cukereuse.showReport");
}

/** Wait until the server has read and compared everything; says what it waits for. Whether that came about. */
async function settled(
  session: Session,
  report: (message: string) => void,
  token: vscode.CancellationToken,
): Promise<boolean> {
  while (session.client?.isRunning() && !token.isCancellationRequested) {
    const status = await requestStatus(session);
    if (status?.failed) return false;
    if (status?.settled) return true;
    report(stage(status));
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return false;
}

/** What the Problems panel lists, once that is what the server knows: the client asks for it file by file. */
async function listed(client: LanguageClient): Promise<Shown> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await client.sendRequest<Findings>(FINDINGS, {});
    if ((await lists(found.errors + found.warnings + found.information)) || Date.now() > end) return shown();
  }
}

/** Whether the panel comes to list so many soon. */
async function lists(problems: number): Promise<boolean> {
  const listening: vscode.Disposable[] = [];
  const come = await new Promise<boolean>((resolve) => {
    const look = (): unknown => shown().findings === problems && resolve(true);
    const late = setTimeout(() => resolve(false), RENEW_MS);
    listening.push(vscode.languages.onDidChangeDiagnostics(look), { dispose: () => clearTimeout(late) });
    look();
  });
  listening.forEach((one) => one.dispose());
  return come;
}

function stage(status: Status | undefined): string {
  if (!status?.suites.length) return "looking for feature files";
  const steps = status.suites.reduce((sum, suite) => sum + suite.steps, 0);
  if (!status.complete) return `comparing ${counted(steps, "step")}`;
  const states = { downloading: "downloading the language model", loading: "loading the language model" };
  return states[status.modelState as keyof typeof states] ?? "comparing steps by their meaning";
}

/** Problems and hints apart, as the editor lists them. */
function describeListed(now: Shown): string {
  const hints = now.hints ? `${counted(now.hints, "hint")} (shown only in the editor)` : "";
  if (!now.findings) return hints ? `No problems; ${hints}.` : "No findings: no two steps say the same thing in different words.";
  const told = `${counted(now.findings, "finding")}, in the Problems panel`;
  return `${hints ? `${told}; ${hints}` : told}.`;
}
