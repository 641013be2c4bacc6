// The Testing view: feature files and their scenarios. A scenario is run by the suite's own runner, as the server names
// it, and only when the user asks: by the view, by the arrow beside the scenario, or by its code lens. So is one debugged.

import * as vscode from "vscode";
import { type Launch, debug } from "./debugging";
import { RUNS, type Runs } from "./protocol";
import { run } from "./server/run";
import { tail } from "./server/outcome";
import type { Session } from "./session";

const FILES = "**/*.{feature,feature.md}";
const LEFT_OUT = "**/{node_modules,.venv,venv,vendor,build,target}/**";
const TRUST = "Manage Trust";
/** pytest's exit code where no test has the name. */
const NO_TEST = 5;

interface Runnable {
  readonly folder: string;
  readonly command: readonly string[];
  readonly debug: Launch | null;
}

const NOTHING: Runnable = { folder: "", command: [], debug: null };

export class Testing implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("cukereuse", "Scenarios");
  private readonly runnables = new WeakMap<vscode.TestItem, Runnable>();
  private readonly disposables: vscode.Disposable[] = [this.controller];

  constructor(private readonly session: Session) {
    this.controller.resolveHandler = (item) => (item ? this.fill(item) : this.discover());
    this.controller.refreshHandler = () => this.discover();
    const { Run, Debug } = vscode.TestRunProfileKind;
    this.controller.createRunProfile("Run", Run, (request, token) => this.run(request, token), true);
    this.controller.createRunProfile("Debug", Debug, (request, token) => this.run(request, token, true), true);
    const watcher = vscode.workspace.createFileSystemWatcher(FILES, false, true, false);
    this.disposables.push(
      watcher,
      watcher.onDidCreate((uri) => this.file(uri)),
      watcher.onDidDelete((uri) => this.controller.items.delete(uri.toString())),
      vscode.workspace.onDidOpenTextDocument((document) => void this.refill(document)),
      vscode.workspace.onDidSaveTextDocument((document) => void this.refill(document)),
      // before the server has read the step definitions it knows no command
      session.onProgress(([, value]) => {
        if (value.kind === "end") vscode.workspace.textDocuments.forEach((document) => void this.refill(document));
      }),
    );
  }

  dispose(): void {
    this.disposables.forEach((one) => one.dispose());
  }

  /** Run or debug the scenario whose title stands on a line, as its code lens asks. */
  async runAt(address: unknown, line: unknown, debugs = false): Promise<void> {
    if (typeof address !== "string" || typeof line !== "number") return;
    const item = this.file(vscode.Uri.parse(address));
    await this.fill(item);
    const found = [...item.children].map(([, child]) => child).find((child) => child.range?.start.line === line);
    if (found) await this.run(new vscode.TestRunRequest([found]), new vscode.CancellationTokenSource().token, debugs);
  }

  private async discover(): Promise<void> {
    for (const uri of await vscode.workspace.findFiles(FILES, LEFT_OUT)) this.file(uri);
  }

  private file(uri: vscode.Uri): vscode.TestItem {
    const known = this.controller.items.get(uri.toString());
    if (known) return known;
    const item = this.controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    item.canResolveChildren = true;
    this.controller.items.add(item);
    return item;
  }

  /** Arrows stand beside the scenarios of what is open. */
  private async refill(document: vscode.TextDocument): Promise<void> {
    if (document.uri.scheme === "file" && /\.feature(?:\.md)?$/u.test(document.uri.path)) await this.fill(this.file(document.uri));
  }

  private async fill(item: vscode.TestItem): Promise<void> {
    const { client } = this.session;
    if (!item.uri || !item.canResolveChildren || !client?.isRunning()) return;
    let found: Runs | null;
    try {
      found = await client.sendRequest<Runs | null>(RUNS, { textDocument: { uri: item.uri.toString() } });
    } catch (error) {
      this.session.log.debug(`no scenarios of ${item.id}: ${String(error)}`);
      return;
    }
    const scenarios = (found?.items ?? []).filter((one) => one.kind === "scenario" && one.command.length);
    // an arrow beside the feature runs all its scenarios
    const feature = found?.items.find((one) => one.kind === "feature" && scenarios.length);
    item.range = feature && rangeOf(feature);
    const counts = new Map<string, number>();
    item.children.replace(
      scenarios.map((one) => {
        const nth = (counts.get(one.name) ?? 0) + 1;
        counts.set(one.name, nth);
        const child = this.controller.createTestItem(`${item.id}#${one.name}#${nth}`, one.name || "Scenario", item.uri);
        child.range = rangeOf(one);
        this.runnables.set(child, { folder: found?.folder ?? "", command: one.command, debug: one.debug });
        return child;
      }),
    );
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken, debugs = false): Promise<void> {
    if (!(await trusted())) return;
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    const scenarios = await this.scenarios(request);
    const testing = this.controller.createTestRun(request);
    testing.token.onCancellationRequested(() => stop.abort());
    scenarios.forEach((one) => testing.enqueued(one));
    for (const one of scenarios) {
      if (stop.signal.aborted) testing.skipped(one);
      else if (debugs) await this.debugOne(testing, one, stop.signal);
      else await this.runOne(testing, one, stop.signal);
    }
    testing.end();
  }

  /** What is asked for and not left out; files by their scenarios, and saved: runners read what is on disk. */
  private async scenarios(request: vscode.TestRunRequest): Promise<vscode.TestItem[]> {
    if (!request.include) await this.discover();
    const asked = request.include ?? [...this.controller.items].map(([, item]) => item);
    const found: vscode.TestItem[] = [];
    for (const item of asked) {
      await vscode.workspace.textDocuments.find((one) => one.uri.toString() === item.uri?.toString() && one.isDirty)?.save();
      if (item.canResolveChildren) {
        await this.fill(item);
        found.push(...[...item.children].map(([, child]) => child));
      } else found.push(this.controller.items.get(item.uri?.toString() ?? "")?.children.get(item.id) ?? item);
    }
    return found.filter((item) => !request.exclude?.some((one) => one === item || one === item.parent));
  }

  private async runOne(testing: vscode.TestRun, item: vscode.TestItem, signal: AbortSignal): Promise<void> {
    const { folder, command } = this.runnables.get(item) ?? NOTHING;
    const [program = "", ...args] = command;
    testing.started(item);
    testing.appendOutput(`> ${command.join(" ")}\r\n`, undefined, item);
    const began = Date.now();
    const onLine = (line: string): void => testing.appendOutput(`${line}\r\n`, undefined, item);
    const ran = await run(program, args, { cwd: folder, signal, onLine });
    const milliseconds = Date.now() - began;
    if (ran.code === 0) {
      testing.passed(item, milliseconds);
      return;
    }
    const said = tail(ran);
    if (ran.code > 0 && !(ran.code === NO_TEST && command.includes("-k"))) {
      testing.failed(item, new vscode.TestMessage(said), milliseconds);
      return;
    }
    const message = `${command.join(" ")}: ${said}. The setting cukereuse.runCommand names another command.`;
    testing.errored(item, new vscode.TestMessage(message), milliseconds);
  }

  private async debugOne(testing: vscode.TestRun, item: vscode.TestItem, signal: AbortSignal): Promise<void> {
    const { folder, debug: launch } = this.runnables.get(item) ?? NOTHING;
    if (!launch) {
      testing.errored(item, new vscode.TestMessage("No debugger is known for this suite's runner; run the scenario instead."));
      return;
    }
    testing.started(item);
    const { code, refused } = await debug(item.label, folder, launch, signal);
    if (refused) testing.errored(item, new vscode.TestMessage(`The scenario can't be debugged: ${refused}.`));
    else if (code === undefined) testing.skipped(item);
    else if (code === 0) testing.passed(item);
    else testing.failed(item, new vscode.TestMessage(`the runner ended with exit code ${code}; the debug console says why`));
  }
}

function rangeOf({ range: { start, end } }: Runs["items"][number]): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** A suite's runner executes what the folder holds. */
async function trusted(): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const message = "Scenarios are run only in trusted folders.";
  if ((await vscode.window.showWarningMessage(message, TRUST)) === TRUST) {
    await vscode.commands.executeCommand("workbench.trust.manage");
  }
  return false;
}
