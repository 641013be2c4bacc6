// Written by scripts/generate.py from the table of the editors' commands.

import type { Session } from "../session";
import { extractSteps } from "./extract";
import { installServer } from "./install";
import { showLog } from "./log";
import { renameCluster } from "./rename";
import { showReport } from "./report";
import { restartServer } from "./restart";
import { scanWorkspace } from "./scan";
import { findSimilarSteps } from "./similar";
import { showStatus } from "./status";

/** What the user can ask for, by its name behind `cukereuse.`. */
export const COMMANDS: Readonly<Record<string, (session: Session, args: readonly unknown[]) => unknown>> = {
  findSimilarSteps,
  renameCluster,
  extractSteps,
  showReport,
  scanWorkspace,
  showStatus,
  restartServer,
  showLog,
  installServer,
};
