// Makes the extension's own server under a progress notification that can be cancelled.

import { readdirSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { chosenPython, ownFolder } from "./environment";
import { InstallError, install, usualPythons } from "./server/install";
import { run } from "./server/run";

let running: Promise<boolean> | undefined;

/** Whether it stands now. What went wrong has been said. */
export function installOwn(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Promise<boolean> {
  running ??= attempt(context, log).finally(() => {
    running = undefined;
  });
  return running;
}

async function attempt(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Promise<boolean> {
  for (;;) {
    const problem = await installOnce(context, log);
    if (problem === undefined) return true;
    log.error(problem);
    const again = "Try Again";
    const showLog = "Show Log";
    const answer = await vscode.window.showErrorMessage(problem, again, showLog);
    if (answer === showLog) log.show();
    if (answer !== again) return false;
  }
}

async function installOnce(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): Promise<string | undefined> {
  const location = vscode.ProgressLocation.Notification;
  const title = "Installing the cukereuse server";
  return vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    try {
      await install({
        folder: ownFolder(context),
        wheel: carriedWheel(context),
        pythons: usualPythons(process.platform, await chosenPython()),
        platform: process.platform,
        run,
        report: (message) => progress.report({ message }),
        log: (line) => log.info(line),
        signal: stop.signal,
      });
      return undefined;
    } catch (error) {
      if (error instanceof InstallError) return error.message;
      log.error(error instanceof Error ? error : String(error));
      return `The server could not be installed: ${error instanceof Error ? error.message : String(error)}`;
    }
  });
}

function carriedWheel(context: vscode.ExtensionContext): string {
  const folder = path.join(context.extensionPath, "server");
  const wheel = readdirSync(folder).find((name) => name.endsWith(".whl"));
  if (!wheel) throw new InstallError("This build of the extension carries no server; install cukereuse with pip.");
  return path.join(folder, wheel);
}
