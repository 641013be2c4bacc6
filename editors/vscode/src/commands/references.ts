// The uses of a step and its other wordings, as its code lenses show them.

import * as vscode from "vscode";
import type { Session } from "../session";
import { WORDINGS, type Wordings } from "../protocol";
import { cursorOf, parametersOf, showLocations } from "./cursor";

export async function showReferences(session: Session, args: readonly unknown[]): Promise<void> {
  const cursor = session.client && cursorOf(session.client, args);
  if (!cursor) return;
  const { uri, position } = cursor;
  const found = await vscode.commands.executeCommand<vscode.Location[]>("vscode.executeReferenceProvider", uri, position);
  await showLocations(cursor, found ?? []);
}

/** Steps that say the same in other words. */
export async function showWordings(session: Session, args: readonly unknown[]): Promise<void> {
  const client = session.client;
  const cursor = client && cursorOf(client, args);
  if (!cursor) return;
  const { locations } = await client.sendRequest<Wordings>(WORDINGS, parametersOf(client, cursor));
  await showLocations(cursor, locations.map((one) => client.protocol2CodeConverter.asLocation(one)));
}
