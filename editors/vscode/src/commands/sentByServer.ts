// Commands that only an editor can run. The server sends them to clients that declare them, with the place of a step:
// `{textDocument, position}`, or `uri, position`.

const FIND_SIMILAR = "cukereuse.findSimilarSteps";
const RENAME_CLUSTER = "cukereuse.renameCluster";
const EXTRACT = "cukereuse.extractSteps";
export const SHOW_REFERENCES = "cukereuse.showReferences";

export const SHOW_WORDINGS = "cukereuse.showWordings";

/** Their arguments are the file's URI and the line of the scenario's title. */
export const RUN = "cukereuse.run";
export const DEBUG = "cukereuse.debug";

export const CLIENT_COMMANDS = [FIND_SIMILAR, RENAME_CLUSTER, EXTRACT, SHOW_REFERENCES, SHOW_WORDINGS, RUN, DEBUG] as const;
