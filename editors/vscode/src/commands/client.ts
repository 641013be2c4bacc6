// Commands that only an editor can run. The server sends them to clients that declare them, each with one argument:
// `{textDocument, position}`, for references with `locations`.

export const FIND_SIMILAR = "cukereuse.findSimilarSteps";
export const RENAME_CLUSTER = "cukereuse.renameCluster";
export const SHOW_REFERENCES = "cukereuse.showReferences";

export const CLIENT_COMMANDS = [FIND_SIMILAR, RENAME_CLUSTER, SHOW_REFERENCES] as const;
