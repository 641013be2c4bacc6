export const slide = (bolt) => { bolt.move(1); };
export function seal(lid) { slide(lid); }
