// Positions and counts in words.

/** UTF-16 offset of a 1-based column in code points; the end of the line where the column is past it. */
export function utf16Offset(line: string, column: number): number {
  let offset = 0;
  for (const character of line) {
    if (column <= 1) break;
    offset += character.length;
    column -= 1;
  }
  return offset;
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
