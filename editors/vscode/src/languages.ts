// Written by scripts/generate.py from the engine's table of languages.

/** What VS Code calls the languages of step definitions. */
export const GLUE = [
  "csharp",
  "go",
  "java",
  "javascript",
  "javascriptreact",
  "kotlin",
  "php",
  "python",
  "ruby",
  "rust",
  "scala",
  "typescript",
  "typescriptreact",
];
