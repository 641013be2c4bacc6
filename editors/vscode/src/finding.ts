// Finds the server, and asks the user where there is none that serves.

import * as vscode from "vscode";
import { ownFolder, surroundings } from "./environment";
import { installOwn } from "./installing";
import { candidates, expandSetting, inEnvironment, type Origin } from "./server/candidates";
import { type Probed, choose, probe } from "./server/choose";
import { run } from "./server/run";
import { type Version, parseVersion, versionText } from "./server/version";

const ORIGINS: Record<Origin, string> = {
  setting: "named by the setting cukereuse.server.path",
  workspace: "of the workspace's Python environment",
  path: "on PATH",
  own: "of the extension itself",
};
const TRUST = "Manage Trust";
const INSTALL = "Install";
const SETTING = "Open Setting";
const SETTING_ID = "cukereuse.server.path";

/** The server to start; undefined where there is none, and the user is being asked what to do then. */
export async function findServer(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): Promise<Probed | undefined> {
  const around = await surroundings(context);
  const extension = extensionVersion(context);
  const { chosen, refused } = await choose(candidates(around), extension, run);
  for (const one of refused) log.warn(describeProblem(one, extension));
  if (chosen) {
    log.info(`serving: ${chosen.command}, ${describe(chosen)}`);
    if (chosen.origin === "own") void offerUpdate(context, chosen, extension, log);
    return chosen;
  }
  if (around.setting.trim()) {
    const told = refused[0]
      ? describeProblem(refused[0], extension)
      : `The setting cukereuse.server.path names ${expandSetting(around)}, and there is no cukereuse command there.`;
    void offerSetting(told);
  } else void offerInstall(refused[0] && describeProblem(refused[0], extension), around.trusted);
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
export async function installServer(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): Promise<Probed | undefined> {
  if (!(await installOwn(context, log))) return undefined;
  const around = await surroundings(context);
  const command = inEnvironment(ownFolder(context), around);
  return command ? probe({ origin: "own", command }, extensionVersion(context), run) : undefined;
}

async function offerInstall(problem: string | undefined, trusted: boolean): Promise<void> {
  const nowhere = trusted
    ? "cukereuse is not installed in this workspace's Python environment, nor on PATH."
    : "There is no cukereuse on PATH, and the one of this folder's Python environment is started only when you trust the folder.";
  const answer = await vscode.window.showInformationMessage(
    `${problem ?? nowhere} Shall the extension make an environment of its own? Packages come from your package index (about 75 MB).`,
    ...(trusted ? [] : [TRUST]),
    INSTALL,
    SETTING,
  );
  if (answer === TRUST) await vscode.commands.executeCommand("workbench.trust.manage");
  if (answer === INSTALL) await vscode.commands.executeCommand("cukereuse.installServer");
  if (answer === SETTING) await openSetting();
}

async function offerSetting(message: string): Promise<void> {
  if ((await vscode.window.showErrorMessage(message, SETTING)) === SETTING) await openSetting();
}

/** The extension was updated since it made its environment: what is there serves, but is not what was tested. */
async function offerUpdate(
  context: vscode.ExtensionContext,
  own: Probed,
  extension: Version,
  log: vscode.LogOutputChannel,
): Promise<void> {
  if (!own.version || versionText(own.version) === versionText(extension)) return;
  const update = "Update";
  const answer = await vscode.window.showInformationMessage(
    `The extension brings cukereuse ${versionText(extension)}; its environment holds ${versionText(own.version)}.`,
    update,
  );
  if (answer === update && (await installOwn(context, log))) {
    await vscode.commands.executeCommand("cukereuse.restartServer");
  }
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
      return `${name} can't be started: ${refused.said || "it does not tell its version"}. Install it there anew.`;
  }
}

/** Where the setting has its value; a remote window's user settings do not show it. */
function openSetting(): Thenable<unknown> {
  const given = vscode.workspace.getConfiguration("cukereuse").inspect("server.path");
  const level = given?.workspaceValue ? "Workspace" : vscode.env.remoteName ? "Remote" : "";
  return vscode.commands.executeCommand(`workbench.action.open${level}Settings`, { query: SETTING_ID });
}
