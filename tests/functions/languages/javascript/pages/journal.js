export function log(text) { journal.write(text); }
export function print(text) { console.log(text); }
