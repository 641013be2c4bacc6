// Finds the server, and asks the user where there is none that serves.

import * as vscode from "vscode";
import { ownFolder, surroundings } from "./environment";
import { installOwn } from "./installing";
import type { Prompts } from "./prompts";
import { candidates, expandSetting, inEnvironment, type Origin } from "./server/candidates";
import { type Probed, choose, probe } from "./server/choose";
import { run } from "./server/run";
import { type Version, parseVersion, versionText } from "./server/version";

const ORIGINS: Record<Origin, string> = {
  setting: "from the setting cukereuse.server.path",
  workspace: "of the workspace's Python environment",
  path: "on PATH",
  user: "in your user commands folder",
  own: "installed by the extension",
};
const TRUST = "Manage Trust";
const INSTALL = "Install";
const SETTING = "Open Setting";
const SETTING_ID = "cukereuse.server.path";
/** Key of what is remembered of a workspace: its user was asked, and did not want to install. */
const DECLINED = "cukereuse.installDeclined";

/** What the search takes of the session. */
export interface Asking {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly prompts: Prompts;
}

/** The server to start; undefined where there is none, and the user is being asked what to do then. */
export async function findServer(asking: Asking): Promise<Probed | undefined> {
  const { context, log } = asking;
  const around = await surroundings(context);
  const extension = extensionVersion(context);
  const { chosen, refused } = await choose(await candidates(around), extension, run);
  for (const one of refused) log.warn(describeProblem(one, extension));
  if (chosen) {
    log.info(`serving: ${chosen.command}, ${describe(chosen)}`);
    if (chosen.origin === "own") void offerUpdate(asking, chosen, extension);
    return chosen;
  }
  if (around.setting.trim()) {
    const told = refused[0]
      ? describeProblem(refused[0], extension)
      : `The setting cukereuse.server.path names ${expandSetting(around)}, but there is no cukereuse command there.`;
    void offerSetting(told);
  } else void offerInstall(asking, refused[0] && describeProblem(refused[0], extension));
  return undefined;
}

export function extensionVersion(context: vscode.ExtensionContext): Version {
  const text = String((context.extension.packageJSON as { version: unknown }).version);
  return parseVersion(text) ?? { major: 0, minor: 0, patch: 0 };
}

export function describe(server: Probed): string {
  return `version ${server.version ? versionText(server.version) : "unknown"}, ${ORIGINS[server.origin]}`;
}

/** Make the extension's own server, whatever else there is. */
export async function installServer({ context, log }: Asking): Promise<Probed | undefined> {
  const problem = await installOwn(context, log);
  if (problem !== undefined) {
    void offerAgain(problem, log);
    return undefined;
  }
  await context.workspaceState.update(DECLINED, undefined);
  const command = await inEnvironment(ownFolder(context), await surroundings(context));
  return command ? probe({ origin: "own", command }, extensionVersion(context), run) : undefined;
}

async function offerAgain(problem: string, log: vscode.LogOutputChannel): Promise<void> {
  const again = "Try Again";
  const showLog = "Show Log";
  const answer = await vscode.window.showErrorMessage(problem, again, showLog);
  if (answer === showLog) log.show();
  if (answer === again) await vscode.commands.executeCommand("cukereuse.installServer");
}

/** Asked once for each workspace; afterwards the status item says that there is no server. */
async function offerInstall({ context, log, prompts }: Asking, problem: string | undefined): Promise<void> {
  const nowhere = vscode.workspace.isTrusted
    ? "cukereuse is not installed in this workspace's Python environment, on PATH, or by pipx or uv."
    : "There is no cukereuse on PATH, and the one of this folder's Python environment is started only when you trust the folder.";
  const told = problem ?? nowhere;
  if (context.workspaceState.get(DECLINED)) {
    log.info(`${told} The user was asked before; the command "Install the Extension's Own Server" installs it.`);
    return;
  }
  const answer = await prompts.ask(
    `${told} Should the extension install its own copy from your package index (about 75 MB)?`,
    ...(vscode.workspace.isTrusted ? [] : [TRUST]),
    INSTALL,
    SETTING,
  );
  if (answer === TRUST) await vscode.commands.executeCommand("workbench.trust.manage");
  if (answer === INSTALL) await vscode.commands.executeCommand("cukereuse.installServer");
  if (answer === SETTING) await openSetting();
  if (answer === undefined) await context.workspaceState.update(DECLINED, true);
}

async function offerSetting(message: string): Promise<void> {
  if ((await vscode.window.showErrorMessage(message, SETTING)) === SETTING) await openSetting();
}

/**
 * The extension was updated since it made its environment: what is there serves, but is not what was tested. Asked once
 * for each version.
 */
async function offerUpdate({ context, prompts }: Asking, own: Probed, extension: Version): Promise<void> {
  const brought = versionText(extension);
  const key = `cukereuse.updateOffered ${brought}`;
  const { globalState } = context;
  if (!own.version || versionText(own.version) === brought || globalState.get(key)) return;
  const update = "Update";
  const message = `This extension was tested with cukereuse ${brought}, but version ${versionText(own.version)} is installed.`;
  const answer = await prompts.ask(message, update);
  await globalState.update(key, true);
  if (answer === update) await vscode.commands.executeCommand("cukereuse.installServer");
}

function describeProblem(refused: Probed, extension: Version): string {
  const name = `The cukereuse ${ORIGINS[refused.origin]} (${refused.command})`;
  const wanted = versionText(extension);
  const has = refused.version ? versionText(refused.version) : "";
  switch (refused.problem) {
    case "older":
      return `${name} is version ${has}, too old for this extension (${wanted}). \`pip install -U cukereuse\` there updates it.`;
    case "newer":
      return `${name} is version ${has}, too new for this extension (${wanted}). Update the extension.`;
    default:
      return `${name} can't be started: ${refused.said || "it does not report its version"}. Reinstall it there.`;
  }
}

/** Where the setting has its value; a remote window's user settings do not show it. */
function openSetting(): Thenable<unknown> {
  const given = vscode.workspace.getConfiguration("cukereuse").inspect("server.path");
  const level = given?.workspaceValue ? "Workspace" : vscode.env.remoteName ? "Remote" : "";
  return vscode.commands.executeCommand(`workbench.action.open${level}Settings`, { query: SETTING_ID });
}
