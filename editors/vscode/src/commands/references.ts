// Show places that the server names, as a code lens does.

import type { Location } from "vscode-languageclient/node";
import type { Session } from "../session";
import { cursorOf, showLocations } from "./cursor";

export async function showReferences(session: Session, argument: unknown): Promise<void> {
  const locations = (argument as { locations?: unknown } | undefined)?.locations;
  if (session.client && Array.isArray(locations)) {
    await showLocations(session.client, cursorOf(session.client, argument), locations as Location[]);
  }
}
