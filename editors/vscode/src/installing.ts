// Makes the extension's own server under a progress notification that can be cancelled.

import { existsSync, readdirSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { chosenPython, ownFolder } from "./environment";
import { InstallError, install, usualPythons } from "./server/install";
import { run } from "./server/run";

let running: Promise<string | undefined> | undefined;

/** Undefined where it stands now, else what went wrong and what to do, in words for the user. Never rejects. */
export function installOwn(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Promise<string | undefined> {
  running ??= installOnce(context, log).finally(() => {
    running = undefined;
  });
  return running;
}

async function installOnce(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): Promise<string | undefined> {
  const location = vscode.ProgressLocation.Notification;
  const title = "Installing the cukereuse server";
  const problem = await vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    try {
      const rest = await install({
        folder: ownFolder(context),
        wheel: carriedWheel(context),
        pythons: usualPythons(process.platform, await chosenPython()),
        platform: process.platform,
        run,
        report: (message) => progress.report({ message }),
        log: (line) => log.info(line),
        signal: stop.signal,
      });
      // a compiler takes its time, and the server serves without what it makes
      void rest().catch((error: unknown) => log.warn(String(error)));
      return undefined;
    } catch (error) {
      if (error instanceof InstallError) return error.message;
      log.error(error instanceof Error ? error : String(error));
      return `The server could not be installed: ${error instanceof Error ? error.message : String(error)}`;
    }
  });
  if (problem !== undefined) log.error(problem);
  return problem;
}

function carriedWheel(context: vscode.ExtensionContext): string {
  const folder = path.join(context.extensionPath, "server");
  const wheel = existsSync(folder) && readdirSync(folder).find((name) => name.endsWith(".whl"));
  if (!wheel) throw new InstallError("This build of the extension does not include the server. Install cukereuse with pip.");
  return path.join(folder, wheel);
}
