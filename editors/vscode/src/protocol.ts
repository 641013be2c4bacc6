// The server's own requests, beyond the protocol. Each takes an object; positions are the protocol's.

import type { Launch } from "./debugging";
import type { Location, Range, WorkspaceEdit } from "vscode-languageclient/node";

/** `{}` -> `Status`. */
export const STATUS = "cukereuse/status";

export interface Status {
  /** Whether all files are read and all suites compared. */
  readonly complete: boolean;
  /** Complete, and compared by meaning too where there is a model. */
  readonly settled: boolean;
  /** Whether the server reads nothing any more, until it is started again; older servers do not say. */
  readonly failed?: boolean;
  /** Id of the embedding model in use; empty: lexical only. */
  readonly model: string;
  readonly modelState: "off" | "missing" | "downloading" | "loading" | "ready";
  readonly suites: readonly SuiteStatus[];
}

export interface SuiteStatus {
  readonly root: string;
  readonly files: number;
  readonly steps: number;
  readonly texts: number;
  readonly definitions: number;
}

/** `{}` -> `Findings` of all files. */
export const FINDINGS = "cukereuse/findings";

export interface Findings {
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly information: number;
  readonly hints: number;
}

/** `{textDocument, position}` or `{text}` -> `SimilarSteps`, the most similar first. */
export const SIMILAR = "cukereuse/similar";

export interface SimilarSteps {
  readonly items: readonly SimilarStep[];
}

export interface SimilarStep {
  readonly text: string;
  readonly occurrences: number;
  readonly reasons: readonly string[];
  /** What keeps the two apart, however near they look. */
  readonly barredBy: readonly string[];
  readonly locations: readonly Location[];
  /** Other repositories that have it, where the suite has not; from the catalogue. */
  readonly knownTo: readonly string[];
}

/** `{textDocument, position}` -> `Wordings`: steps of the other wordings of a step's intent. */
export const WORDINGS = "cukereuse/wordings";

export interface Wordings {
  readonly locations: readonly Location[];
}

/** `{textDocument}`, open or not -> `Runs`, or null for a file of no suite. */
export const RUNS = "cukereuse/runs";

export interface Runs {
  /** In which a command is run. */
  readonly folder: string;
  readonly items: readonly {
    readonly kind: "feature" | "scenario";
    readonly name: string;
    readonly range: Range;
    /** The program and its arguments; empty where none is known. */
    readonly command: readonly string[];
    /** What a debugger is told to do the same; null where none is known. */
    readonly debug: Launch | null;
  }[];
}

/** `{textDocument, position}` -> `RenameCandidates`: the wordings of the step's cluster, the most used first. */
export const RENAME_CANDIDATES = "cukereuse/renameCandidates";

export interface RenameCandidates {
  readonly candidates: readonly RenameCandidate[];
}

export interface RenameCandidate {
  readonly text: string;
  /** The text with a slot for each argument, `{1}`; can be a target. */
  readonly phrasing: string;
  readonly occurrences: number;
}

/** `{textDocument, position, block?, wording?}` -> `ExtractPlan` or `RefusedPlan`. */
export const EXTRACT_PLAN = "cukereuse/extractPlan";

export interface ExtractPlan {
  /** With a slot for each argument that varies: `{name}`. */
  readonly wording: string;
  readonly places: number;
  readonly files: number;
  readonly warnings: readonly string[];
  readonly edit: WorkspaceEdit;
}

/** `{textDocument, position, target, cluster}` -> `RenamePlan | RefusedPlan`. Nothing is written. */
export const RENAME_PLAN = "cukereuse/renamePlan";

export interface RenamePlan {
  readonly target: string;
  readonly steps: number;
  readonly files: number;
  readonly leftOut: readonly { readonly text: string; readonly occurrences: number; readonly reason: string }[];
  readonly warnings: readonly string[];
  readonly edit: WorkspaceEdit;
}

export interface RefusedPlan {
  readonly refused: string;
}
