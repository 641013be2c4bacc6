// The uses of a step, as its code lens shows them.

import * as vscode from "vscode";
import type { Session } from "../session";
import { cursorOf, showLocations } from "./cursor";

export async function showReferences(session: Session, args: readonly unknown[]): Promise<void> {
  const cursor = session.client && cursorOf(session.client, args);
  if (!cursor) return;
  const { uri, position } = cursor;
  const found = await vscode.commands.executeCommand<vscode.Location[]>("vscode.executeReferenceProvider", uri, position);
  await showLocations(cursor, found ?? []);
}
