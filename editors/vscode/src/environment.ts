// What VS Code knows of where a server may be: settings, folders, the Python extension's choice.

import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Surroundings } from "./server/candidates";
import { exists, isFile } from "./server/disk";

const PYTHON_EXTENSION = "ms-python.python";
const PYTHON_MS = 5_000;

/** The part of the Python extension's API that is used here. */
interface PythonApi {
  readonly environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

export async function surroundings(context: vscode.ExtensionContext): Promise<Surroundings> {
  const trusted = vscode.workspace.isTrusted;
  return {
    setting: vscode.workspace.getConfiguration("cukereuse").get<string>("server.path") ?? "",
    folders: localFolders().map((folder) => folder.uri.fsPath),
    trusted,
    chosenPython: trusted ? await chosenPython() : undefined,
    env: process.env,
    home: os.homedir(),
    platform: process.platform,
    own: ownFolder(context),
    isFile,
    exists,
  };
}

export function localFolders(): vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === "file");
}

export function ownFolder(context: vscode.ExtensionContext): string {
  return path.join(context.globalStorageUri.fsPath, "server");
}

/** Interpreter or environment that the Python extension uses for the workspace. */
export async function chosenPython(): Promise<string | undefined> {
  const found = await ofPython((api) => api.environments?.getActiveEnvironmentPath(localFolders()[0]?.uri).path);
  return found && path.isAbsolute(found) ? found : undefined;
}

/** Calls back when another environment is chosen for the workspace. */
export function onPythonChange(changed: () => void): Promise<vscode.Disposable | undefined> {
  return ofPython((api) => api.environments?.onDidChangeActiveEnvironmentPath(changed));
}

/** A broken Python extension, or one that takes its time, is no reason not to look elsewhere. */
async function ofPython<T>(ask: (api: PythonApi) => T | undefined): Promise<T | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>(PYTHON_EXTENSION);
  if (!extension) return undefined;
  try {
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, PYTHON_MS, undefined));
    const api = await Promise.race([extension.activate(), late]);
    return api && ask(api);
  } catch {
    return undefined;
  }
}
