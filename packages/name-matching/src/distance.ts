// How many typing errors lie between two words: insertions, deletions, replacements, and neighbours that were swapped.

/** Replacements that languages or ears make. */
const confusable =
  "kq gq ck cq gk iy jy sz vw uv uw uo ei ae bp dt fv sS zS SC sC jC jS zj hk kC".split(" ");

const vowel = 1;
const confused = 2;
const otherLetter = 3;
/** The kind of each replacement, by two character codes below 128. */
const kinds = new Uint8Array(128 * 128).fill(otherLetter);
for (const one of "aeiouy") for (const other of "aeiouy") setKind(one, other, vowel);
for (const pair of confusable) setKind(pair[0] as string, pair[1] as string, confused);

function setKind(one: string, other: string, kind: number): void {
  for (const [a, b] of [
    [one, other],
    [other, one],
  ] as const) {
    const at = a.charCodeAt(0) * 128 + b.charCodeAt(0);
    if (kinds[at] === otherLetter) kinds[at] = kind;
  }
}

export type EditCosts = {
  vowel: number;
  /** A letter that doubles its neighbour. */
  doubled: number;
  confused: number;
  /** An h beside another letter. */
  breath: number;
};

/** For words that sound alike: the differences are spellings rather than errors. */
export const spellingCosts: EditCosts = { vowel: 0.5, doubled: 0.2, confused: 0.25, breath: 0.3 };
/** For other words. */
export const typingCosts: EditCosts = { vowel: 1, doubled: 0.5, confused: 0.8, breath: 1 };
const swapped = 0.9;
/** What an error between words that don't sound alike costs at least, but for a doubled letter. */
export const typingCostMin = Math.min(typingCosts.confused, swapped);

/** Words are compared up to this many letters from the first difference on. */
export const comparedLettersMax = 48;
const rows = [0, 1, 2].map(() => new Float64Array(comparedLettersMax + 1)) as [
  Float64Array,
  Float64Array,
  Float64Array,
];

/** The cost of turning one word into the other; `limit` where it is no less. Only ASCII. */
export function editDistance(one: string, other: string, costs: EditCosts, limit: number): number {
  // Each letter that one word has more costs at least the cheapest insertion.
  if (Math.abs(one.length - other.length) * costs.doubled >= limit) return limit;
  // The same start and end cost nothing. One letter of the start stays: the next may double it.
  let end = Math.min(one.length, other.length);
  let start = 0;
  while (start < end && one.charCodeAt(start) === other.charCodeAt(start)) start += 1;
  let tail = 0;
  while (
    tail < end - start &&
    one.charCodeAt(one.length - 1 - tail) === other.charCodeAt(other.length - 1 - tail)
  ) {
    tail += 1;
  }
  if (start > 0) start -= 1;
  end = start + comparedLettersMax;
  const a = one.slice(start, Math.min(one.length - tail, end));
  const b = other.slice(start, Math.min(other.length - tail, end));
  const height = a.length;
  const width = b.length;
  let [before, last, next] = rows;
  last[0] = 0;
  for (let j = 1; j <= width; j += 1) last[j] = at(last, j - 1) + gap(b, j - 1, costs);
  for (let i = 1; i <= height; i += 1) {
    const letter = a.charCodeAt(i - 1);
    const deletion = gap(a, i - 1, costs);
    let least = at(last, 0) + deletion;
    next[0] = least;
    for (let j = 1; j <= width; j += 1) {
      const partner = b.charCodeAt(j - 1);
      let cost = at(last, j - 1) + (letter === partner ? 0 : replacement(letter, partner, costs));
      const deleted = at(last, j) + deletion;
      if (deleted < cost) cost = deleted;
      if (at(next, j - 1) + costs.doubled < cost) {
        const inserted = at(next, j - 1) + gap(b, j - 1, costs);
        if (inserted < cost) cost = inserted;
      }
      if (
        i > 1 &&
        j > 1 &&
        letter !== partner &&
        letter === b.charCodeAt(j - 2) &&
        partner === a.charCodeAt(i - 2)
      ) {
        const exchanged = at(before, j - 2) + swapped;
        if (exchanged < cost) cost = exchanged;
      }
      next[j] = cost;
      if (cost < least) least = cost;
    }
    if (least >= limit) return limit;
    const reused = before;
    before = last;
    last = next;
    next = reused;
  }
  return Math.min(at(last, width), limit);
}

function at(row: Float64Array, index: number): number {
  return row[index] as number;
}

const letterH = 104;

/** The cost of a letter that only one word has. */
function gap(word: string, index: number, costs: EditCosts): number {
  const letter = word.charCodeAt(index);
  if (index > 0 && word.charCodeAt(index - 1) === letter) return costs.doubled;
  if (letter === letterH) return costs.breath;
  return kinds[letter * 128 + letter] === vowel ? costs.vowel : 1;
}

function replacement(letter: number, other: number, costs: EditCosts): number {
  const kind = kinds[letter * 128 + other];
  if (kind === vowel) return costs.vowel;
  return kind === confused ? costs.confused : 1;
}
