// Debugs a scenario: a debugger starts the suite's runner as the server says. Which debuggers there are the other
// extensions say.

import * as vscode from "vscode";

/** Arguments of a launch request, for a debugger of this type. */
export interface Launch {
  readonly type: string;
  readonly [argument: string]: string | readonly string[];
}

export interface Debugged {
  /** Of the runner; undefined where the debugger does not tell it. */
  readonly code?: number | undefined;
  /** Why nothing was started. */
  readonly refused?: string;
}

/** Where a debugger comes from that VS Code does not bring along. */
const EXTENSIONS: Readonly<Record<string, string>> = { debugpy: "ms-python.debugpy" };
/** Marks the session in its configuration, which keeps what it does not know. */
const MARK = "cukereuseRun";

let sessions = 0;

/** Ends with the session. */
export async function debug(name: string, folder: string, launch: Launch, stop: AbortSignal): Promise<Debugged> {
  const { type } = launch;
  if (!hasDebugger(type)) {
    const extension = EXTENSIONS[type];
    return { refused: `there is no debugger of type ${type}${extension ? `; install the extension ${extension}` : ""}` };
  }
  sessions += 1;
  const mark = sessions;
  const isOurs = (session: vscode.DebugSession): boolean => session.configuration[MARK] === mark;
  const disposables: vscode.Disposable[] = [];
  let code: number | undefined;
  const ended = new Promise<void>((resolve) => {
    disposables.push(
      vscode.debug.registerDebugAdapterTrackerFactory("*", {
        createDebugAdapterTracker: (session) =>
          isOurs(session) ? { onDidSendMessage: (message: unknown) => (code = exitCode(message) ?? code) } : undefined,
      }),
      vscode.debug.onDidStartDebugSession((session) => {
        if (isOurs(session)) stop.addEventListener("abort", () => void vscode.debug.stopDebugging(session));
      }),
      vscode.debug.onDidTerminateDebugSession((session) => {
        if (isOurs(session)) resolve();
      }),
    );
  });
  try {
    const configuration = { name, request: "launch", cwd: folder, console: "internalConsole", ...launch, [MARK]: mark };
    const workspaceFolder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder));
    if (!(await vscode.debug.startDebugging(workspaceFolder, configuration))) return { refused: "the debugger did not start" };
    await ended;
    return { code };
  } finally {
    disposables.forEach((one) => one.dispose());
  }
}

function hasDebugger(type: string): boolean {
  return vscode.extensions.all.some(({ packageJSON }) => {
    const { contributes } = packageJSON as { contributes?: { debuggers?: readonly { type?: string }[] } };
    return contributes?.debuggers?.some((one) => one.type === type) ?? false;
  });
}

/** Of a message of the Debug Adapter Protocol, where it is the event `exited`. */
export function exitCode(message: unknown): number | undefined {
  const { type, event, body } = message as { type?: string; event?: string; body?: { exitCode?: unknown } };
  return type === "event" && event === "exited" && typeof body?.exitCode === "number" ? body.exitCode : undefined;
}
