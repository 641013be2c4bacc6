// Looks at files. Whatever stands there, a file where a folder is looked for, a loop of links, a socket, no right to look
// or a disk that does not answer: the answer is no, and it comes in bounded time. Knows nothing of VS Code.

import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";

const PATIENCE_MS = 3_000;

export async function isFile(file: string): Promise<boolean> {
  return (await look(file))?.isFile() ?? false;
}

export async function exists(file: string): Promise<boolean> {
  return (await look(file)) !== undefined;
}

async function look(file: string): Promise<Stats | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, undefined);
  });
  try {
    return await Promise.race([stat(file), late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
