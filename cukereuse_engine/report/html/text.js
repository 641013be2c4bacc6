// A step's text for people: hidden characters as escapes, arguments tinted, what differs from the other wording marked.

// Controls, format characters (bidi marks, zero widths), separators, and every blank but U+0020.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

// The engine's mask: quoted strings, placeholders and numbers are arguments.
const ARGUMENT =
  /"(?:\\.|[^"\\])*"|(?<![\p{L}\p{N}_])'(?:[^'\\]|\\.)*'(?![\p{L}\p{N}_])|`[^`]*`|<[^<>]+>|(?<![\p{L}\p{N}_])[-+]?\p{Nd}+(?:[.,:]\p{Nd}+)*(?![\p{L}\p{N}_])/gu;

const DIFF_WORDS = 80;
const COMMON_SHARE = 0.4;

function escaped(character) {
  const short = { "\t": "\\t", "\n": "\\n", "\r": "\\r" }[character];
  if (short) return short;
  const point = character.codePointAt(0);
  return point > 0xffff ? `\\U${point.toString(16).padStart(8, "0")}` : `\\u${point.toString(16).padStart(4, "0")}`;
}

/** Nodes of `text` with its hidden characters shown. */
function shown(text) {
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > end) nodes.push(text.slice(end, match.index));
    nodes.push(el("span", { class: "hidden-character", title: "invisible character" }, escaped(match[0])));
    end = match.index + match[0].length;
  }
  if (end < text.length) nodes.push(text.slice(end));
  return nodes;
}

/** `text` as words, blanks and arguments: `{text, key, argument}`; arguments have one key, as in a template. */
function tokens(text) {
  const found = [];
  let end = 0;
  const plain = (part) => {
    for (const word of part.match(/\s+|[^\s]+/gu) ?? []) found.push({ text: word, key: word.toLowerCase() });
  };
  for (const match of text.matchAll(ARGUMENT)) {
    plain(text.slice(end, match.index));
    found.push({ text: match[0], key: "\0argument", argument: true });
    end = match.index + match[0].length;
  }
  plain(text.slice(end));
  return found;
}

/** Which of the words `mine` are no part of the longest common subsequence with `others`. */
function differing(mine, others) {
  const width = others.length + 1;
  const length = new Uint16Array((mine.length + 1) * width);
  for (let i = mine.length - 1; i >= 0; i--)
    for (let j = others.length - 1; j >= 0; j--)
      length[i * width + j] =
        mine[i].key === others[j].key
          ? length[(i + 1) * width + j + 1] + 1
          : Math.max(length[(i + 1) * width + j], length[i * width + j + 1]);
  // Where little is common, marks would cover both lines and tell nothing.
  if (length[0] < Math.min(mine.length, others.length) * COMMON_SHARE) return new Set();
  const marked = new Set();
  let j = 0;
  for (const [i, token] of mine.entries()) {
    while (j < others.length && token.key !== others[j].key && length[i * width + j] === length[i * width + j + 1]) j++;
    if (j < others.length && token.key === others[j].key) j++;
    else marked.add(token);
  }
  return marked;
}

/** A step's text, isolated from the direction of the page; words that `other` has not are marked. */
function stepText(text, other = null) {
  const mine = tokens(text);
  const words = (all) => all.filter((token) => token.text.trim());
  const theirs = other === null ? [] : words(tokens(other));
  const compare = other !== null && mine.length <= 2 * DIFF_WORDS && theirs.length <= DIFF_WORDS;
  const marked = compare ? differing(words(mine), theirs) : new Set();
  const box = el("bdi", { class: "step" });
  let run = null;
  mine.forEach((token, i) => {
    const blankInside = run !== null && !token.text.trim() && marked.has(mine[i + 1]);
    if (!marked.has(token) && !blankInside) run = null;
    else if (run === null) box.append((run = el("span", { class: "differs" })));
    const content = shown(token.text);
    (run ?? box).append(...(token.argument ? [el("span", { class: "argument" }, content)] : content));
  });
  return box;
}
