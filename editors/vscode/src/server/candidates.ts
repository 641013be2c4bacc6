// Where a server may be, in the order in which it is taken: setting, the workspace's Python environment, PATH, where
// pipx and uv put commands, the extension's own environment. Looks at files, never runs one; what can't be looked at is
// not there.

import * as path from "node:path";

export type Origin = "setting" | "workspace" | "path" | "user" | "own";

export interface Candidate {
  readonly origin: Origin;
  /** Absolute path of the `cukereuse` command. */
  readonly command: string;
}

export interface Surroundings {
  /** The setting `cukereuse.server.path`; empty where it is not set. */
  readonly setting: string;
  /** Absolute paths of the workspace folders. */
  readonly folders: readonly string[];
  /** Whether what the workspace holds may be started. */
  readonly trusted: boolean;
  /** Environment that a Python extension has chosen for the workspace: its folder or its interpreter. */
  readonly chosenPython: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Folder of the extension's own environment. */
  readonly own: string;
  /** Never rejects, and answers in bounded time whatever the disk does. */
  readonly isFile: (file: string) => Promise<boolean>;
  /** Whether anything stands there; as `isFile`. */
  readonly exists: (file: string) => Promise<boolean>;
}

const ENVIRONMENT_FOLDERS = [".venv", "venv", "env", ".env"];

/** Candidates that exist. A setting stands alone: what it names is used, or an error is shown. */
export async function candidates(around: Surroundings): Promise<Candidate[]> {
  if (around.setting.trim()) {
    const command = await fromSetting(around);
    return command ? [{ origin: "setting", command }] : [];
  }
  const roots = around.trusted ? await environments(around) : [];
  // looked at together: a slow disk is waited for once
  const looked = await Promise.all([
    ...roots.map((root) => found("workspace", inEnvironment(root, around))),
    ...searchPath(around).map((folder) => found("path", executableIn(folder, around))),
    ...userFolders(around).map((folder) => found("user", executableIn(folder, around))),
    found("own", inEnvironment(around.own, around)),
  ]);
  const there = looked.filter((one) => one !== undefined);
  return there.filter((one, index) => there.findIndex((other) => other.command === one.command) === index);
}

async function found(origin: Origin, looked: Promise<string | undefined>): Promise<Candidate | undefined> {
  const command = await looked;
  return command === undefined ? undefined : { origin, command };
}

/** The `cukereuse` command of a Python environment, where it is installed there. */
export function inEnvironment(
  root: string,
  around: Pick<Surroundings, "platform" | "isFile">,
): Promise<string | undefined> {
  return executableIn(pathOf(around).join(root, around.platform === "win32" ? "Scripts" : "bin"), around);
}

/** The setting with `~` and `${workspaceFolder}` replaced. */
export function expandSetting(around: Pick<Surroundings, "setting" | "folders" | "home" | "platform">): string {
  const text = around.setting.trim().replaceAll("${workspaceFolder}", around.folders[0] ?? "");
  const expanded = /^~(?=$|[/\\])/u.test(text) ? around.home + text.slice(1) : text;
  return pathOf(around).isAbsolute(expanded) || !around.folders[0]
    ? expanded
    : pathOf(around).join(around.folders[0], expanded);
}

async function fromSetting(around: Surroundings): Promise<string | undefined> {
  const given = around.setting.trim();
  if (!/[/\\]/u.test(given) && given !== "~") {
    // a bare name, as in a shell
    for (const folder of [...searchPath(around), ...userFolders(around)]) {
      const command = await executableIn(folder, around, given);
      if (command) return command;
    }
  }
  const expanded = expandSetting(around);
  if (await around.isFile(expanded)) return expanded;
  return (await inEnvironment(expanded, around)) ?? executableIn(expanded, around);
}

async function environments(around: Surroundings): Promise<string[]> {
  const { join, dirname, basename } = pathOf(around);
  const roots: string[] = [];
  if (around.chosenPython) {
    roots.push(around.chosenPython);
    const folder = dirname(around.chosenPython);
    if (/^(?:bin|scripts)$/iu.test(basename(folder))) roots.push(dirname(folder));
  }
  for (const opened of around.folders) {
    for (const folder of await upToRepository(opened, around)) {
      roots.push(...ENVIRONMENT_FOLDERS.map((name) => join(folder, name)));
    }
  }
  return roots;
}

/** A folder and those above it up to the root of its repository; alone where it is in none. Never the home folder. */
async function upToRepository(opened: string, around: Surroundings): Promise<string[]> {
  const { join, dirname } = pathOf(around);
  const above: string[] = [];
  for (let folder = opened; folder !== around.home && dirname(folder) !== folder; folder = dirname(folder)) {
    above.push(folder);
    if (await around.exists(join(folder, ".git"))) return above;
  }
  return [opened];
}

/** Where pipx and uv put commands, which a desktop's PATH often lacks. */
function userFolders(around: Pick<Surroundings, "env" | "home" | "platform">): string[] {
  const { join, isAbsolute } = pathOf(around);
  const named = [around.env["PIPX_BIN_DIR"], around.env["UV_TOOL_BIN_DIR"], around.env["XDG_BIN_HOME"]];
  return [...named, join(around.home, ".local", "bin")].filter((one): one is string => !!one && isAbsolute(one));
}

function searchPath(around: Pick<Surroundings, "env" | "platform">): string[] {
  // Windows spells it Path
  const name = Object.keys(around.env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  const { delimiter, isAbsolute } = pathOf(around);
  return (around.env[name] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
}

async function executableIn(
  folder: string,
  around: Pick<Surroundings, "platform" | "isFile">,
  name = "cukereuse",
): Promise<string | undefined> {
  const file = around.platform === "win32" && !/\.exe$/iu.test(name) ? `${name}.exe` : name;
  const command = pathOf(around).join(folder, file);
  return (await around.isFile(command)) ? command : undefined;
}

function pathOf(around: Pick<Surroundings, "platform">): path.PlatformPath {
  return around.platform === "win32" ? path.win32 : path.posix;
}
