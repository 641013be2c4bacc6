// The status item: what the server is doing, and how much it knows.

import * as vscode from "vscode";
import type { Progress } from "./client";
import { type Status, STATUS } from "./protocol";
import type { Session } from "./session";
import { counted } from "./text";

const POLL_MS = 1_000;
const FAILED = "The cukereuse server has stopped. See the log for the reason, then restart it.";

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("cukereuse.status", vscode.StatusBarAlignment.Left, 10);
  private readonly tasks = new Map<string | number, { title: string; message: string; percentage: number }>();
  private readonly disposables: vscode.Disposable[] = [this.item];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly session: Session) {
    this.item.name = "Cukereuse";
    this.item.command = "cukereuse.showStatus";
    this.disposables.push(
      session.onProgress(([token, value]) => this.progress(token, value)),
      session.onDidChange(() => this.serverChanged()),
      vscode.languages.onDidChangeDiagnostics(() => this.later()),
    );
    this.item.text = "$(loading~spin) cukereuse";
    this.item.tooltip = "Looking for the cukereuse server";
    this.item.show();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.disposables.forEach((one) => one.dispose());
  }

  private serverChanged(): void {
    this.tasks.clear();
    if (!this.session.client?.isRunning()) this.off();
    else this.later();
  }

  private progress(token: string | number, value: Progress): void {
    if (value.kind === "end") {
      this.tasks.delete(token);
      this.later();
      return;
    }
    const known = this.tasks.get(token) ?? { title: "", message: "", percentage: 0 };
    this.tasks.set(token, {
      title: value.kind === "begin" ? value.title.replace(/^cukereuse: /u, "") : known.title,
      message: value.message ?? known.message,
      percentage: value.percentage ?? known.percentage,
    });
    this.busy();
  }

  private busy(): void {
    const current = [...this.tasks.values()].at(-1);
    if (!current) return;
    this.item.text = `$(sync~spin) cukereuse: ${current.title} ${current.percentage} %`;
    this.item.tooltip = [...this.tasks.values()].map((task) => `${task.title}: ${task.message}`).join("\n");
    this.item.backgroundColor = undefined;
  }

  private off(): void {
    if (this.session.installing || this.session.starting) {
      const installing = this.session.installing;
      this.item.text = `$(sync~spin) cukereuse: ${installing ? "installing" : "starting"}`;
      this.item.tooltip = installing ? "The extension is installing its own server" : "The cukereuse server is starting";
      this.item.backgroundColor = undefined;
      return;
    }
    this.item.text = "$(circle-slash) cukereuse";
    this.item.tooltip = "The cukereuse server is not running; click for options";
    this.item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
  }

  private later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.count(), POLL_MS);
  }

  private async count(): Promise<void> {
    if (this.tasks.size) return;
    const status = await requestStatus(this.session);
    if (this.tasks.size || !this.session.client?.isRunning()) return;
    if (!status) return;
    if (status.failed) {
      this.item.text = "$(circle-slash) cukereuse";
      this.item.tooltip = FAILED;
      this.item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
      return;
    }
    const steps = status.suites.reduce((sum, suite) => sum + suite.steps, 0);
    const now = shown();
    const more = now.findings ? ` · ${counted(now.findings, "finding")}` : "";
    this.item.text = `$(list-unordered) ${counted(steps, "step")}${more}`;
    this.item.tooltip = [...describeStatus(status), `${describeShown(now)} in open files`].join("\n");
    this.item.backgroundColor = undefined;
    if (!status.complete) this.later();
  }
}

/** What the server says of itself; undefined where it says nothing. */
export async function requestStatus(session: Session): Promise<Status | undefined> {
  try {
    return await session.client?.sendRequest<Status>(STATUS, {});
  } catch (error) {
    session.log.debug(`no status: ${String(error)}`);
    return undefined;
  }
}

/** What to say where nothing was found: before everything is read, that means nothing. */
export async function unlessReading(session: Session, message: string): Promise<string> {
  const status = await requestStatus(session);
  if (status?.failed) return FAILED;
  return status?.complete ? message : "cukereuse is still reading the workspace; try again in a moment.";
}

/** Lines for a person. */
export function describeStatus(status: Status): string[] {
  if (status.failed) return [FAILED];
  const lines = status.suites.map(
    (suite) =>
      `${suite.root}: ${counted(suite.files, "file")}, ${counted(suite.steps, "step")}, ` +
      `${counted(suite.texts, "text")}, ${counted(suite.definitions, "step definition")}`,
  );
  return [...lines, status.model ? `model ${status.model}` : "only wording is compared; there is no language model on this machine"];
}

export interface Shown {
  /** As many as the Problems panel lists of cukereuse. */
  readonly findings: number;
  /** Shown where they stand, and not listed. */
  readonly hints: number;
}

/** What is shown of the server's diagnostics. */
export function shown(): Shown {
  const all = vscode.languages.getDiagnostics().flatMap(([, diagnostics]) => diagnostics);
  const own = all.filter((one) => one.source === "cukereuse");
  const hints = own.filter((one) => one.severity === vscode.DiagnosticSeverity.Hint).length;
  return { findings: own.length - hints, hints };
}

/** "3 findings, 2 hints": as the editor lists them. */
export function describeShown({ findings, hints }: Shown): string {
  return `${counted(findings, "finding")}${hints ? `, ${counted(hints, "hint")}` : ""}`;
}
