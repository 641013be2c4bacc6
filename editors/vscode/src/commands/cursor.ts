// Where a command was asked for: what the server sent along, or the cursor.

import * as vscode from "vscode";
import type { LanguageClient, Position } from "vscode-languageclient/node";
import type { Session } from "../session";

export interface Cursor {
  readonly uri: vscode.Uri;
  readonly position: vscode.Position;
}

/** From the arguments of a command of the server's; else from the active editor. */
export function cursorOf(client: LanguageClient, args: readonly unknown[]): Cursor | undefined {
  const [first, second] = args;
  const { textDocument, position } = (first ?? {}) as { textDocument?: { uri?: unknown }; position?: unknown };
  const [uri, at] = typeof first === "string" ? [first, second] : [textDocument?.uri, position];
  if (typeof uri === "string" && isPosition(at)) {
    const converter = client.protocol2CodeConverter;
    return { uri: converter.asUri(uri), position: converter.asPosition(at) };
  }
  const editor = vscode.window.activeTextEditor;
  return editor && { uri: editor.document.uri, position: editor.selection.active };
}

/** The client with the cursor on a step; a warning where there is none. */
export async function atStep(
  session: Session,
  args: readonly unknown[],
): Promise<{ client: LanguageClient; cursor: Cursor } | undefined> {
  const client = await session.running();
  const cursor = client && cursorOf(client, args);
  if (client && !cursor) void vscode.window.showWarningMessage("Put the cursor on a step.");
  return client && cursor && { client, cursor };
}

/** Parameters of a request about one place. */
export function parametersOf(client: LanguageClient, { uri, position }: Cursor): object {
  const converter = client.code2ProtocolConverter;
  return { textDocument: { uri: converter.asUri(uri) }, position: converter.asPosition(position) };
}

/** Open the only place, or let the user look through several at the cursor. */
export async function showLocations(cursor: Cursor | undefined, locations: readonly vscode.Location[]): Promise<void> {
  const [first] = locations;
  if (!first) return;
  if (locations.length === 1 || !cursor) {
    await vscode.window.showTextDocument(first.uri, { selection: first.range });
  } else {
    await vscode.commands.executeCommand("editor.action.showReferences", cursor.uri, cursor.position, locations);
  }
}

function isPosition(value: unknown): value is Position {
  const { line, character } = (value ?? {}) as Record<string, unknown>;
  return typeof line === "number" && typeof character === "number";
}
