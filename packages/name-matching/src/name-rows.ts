// The names of an index side by side in memory: a row of numbers for each. A search looks at hundreds of names for a moment
// each, so all that it asks of a name is in one place.

import { outlineOf } from "./outline.ts";
import type { PreparedName, PreparedWord } from "./prepare.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * Cells of a row. The first has the marks of a search, and is zero between searches. The number of the name and its shape
 * follow, then the outlines of its words, then the numbers of these words. Light words are left out.
 */
export const rowCells = { name: 1, shape: 2, words: 3 } as const;

/** Of the marks: which words of the name that is looked for were found, and above them in how many words of this name. */
export const foundMask = 0xffff;
export const nearShift = 16;
export const nearMask = 31;
/** Marks a name that has two words where the name that is looked for has one. */
export const gluedMark = 1 << 30;

/** Of the shape: how many words, and above them how many are one letter. */
export const wordsMask = 31;
export const lettersShift = 5;

export type NameRows = {
  readonly cells: Int32Array;
  /** Where the row of each name starts. */
  readonly starts: readonly number[];
};

/** Names whose most common word is the same are neighbours, because a search reads them one after the other. */
export function toRows(names: readonly PreparedName[], vocabulary: Vocabulary): NameRows {
  const wordsOf = names.map(({ words }) =>
    words.filter(({ role }) => role !== "light").map((word) => vocabulary.idOf(word) as number),
  );
  const counts = new Uint32Array(vocabulary.words.length);
  for (const word of wordsOf.flat()) counts[word] = (counts[word] as number) + 1;
  const byCount = (one: number, other: number) =>
    (counts[other] as number) - (counts[one] as number);
  const mostCommon = wordsOf.map((words) => words.toSorted(byCount)[0] ?? 0);
  const order = [...names.keys()].sort(
    (one, other) => (mostCommon[one] as number) - (mostCommon[other] as number) || one - other,
  );
  const outlines = vocabulary.words.map(outlineOf);
  const cells: number[] = [];
  const starts: number[] = new Array(names.length);
  for (const id of order) {
    const words = wordsOf[id] as number[];
    const letters = countLetters((names[id] as PreparedName).words);
    starts[id] = cells.length;
    cells.push(0, id, words.length | (letters << lettersShift));
    for (const word of words) cells.push(outlines[word] as number);
    for (const word of words) cells.push(word);
  }
  return { cells: Int32Array.from(cells), starts };
}

/** How many words are one letter. */
export function countLetters(words: readonly PreparedWord[]): number {
  return words.reduce((count, { text }) => count + (text.length === 1 ? 1 : 0), 0);
}
