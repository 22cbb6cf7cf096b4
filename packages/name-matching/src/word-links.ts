// Whether a word that shares no key with a word of a list may stand for it all the same: with two typing errors, or as an
// initial. Nearly all pairs are told apart by their outlines, without comparing them.

import { initialsMax, wordDistance } from "./align.ts";
import { countBits, letterBits } from "./bits.ts";
import { comparedLettersMax, typingCostMin } from "./distance.ts";
import { rowCells, wordsMask } from "./name-rows.ts";
import { arePlain, differingLetters, outlineLength, outlineOf } from "./outline.ts";
import type { PreparedWord } from "./prepare.ts";
import { errorLettersMin } from "./word-keys.ts";

/** With more words missing than this, no word has two typing errors. */
export const missingWithErrorsMax = 2;
/** Two typing errors change at most two letters of each word. */
const differingMax = 4;

/** A word that is looked for. */
export type SoughtWord = {
  readonly word: PreparedWord;
  readonly outline: number;
  /** The letters of its sound, as bits. */
  readonly sounds: number;
};

export function toSoughtWord(word: PreparedWord): SoughtWord {
  return { word, outline: outlineOf(word), sounds: letterBits(word.sound) };
}

export class WordLinks {
  readonly #words: readonly PreparedWord[];
  readonly #cells: Int32Array;
  /** The letters of the sound of each word, as bits. */
  readonly #sounds: Int32Array;

  /** `cells` are the rows of names. */
  constructor(words: readonly PreparedWord[], cells: Int32Array) {
    this.#words = words;
    this.#cells = cells;
    this.#sounds = Int32Array.from(words, ({ sound }) => letterBits(sound));
  }

  get bytes(): number {
    return this.#sounds.byteLength;
  }

  /**
   * Whether one of the words may stand for a word of a name, by their outlines. Words that sound alike share a key, and
   * are not asked for here.
   */
  mayHaveLink(row: number, words: readonly SoughtWord[], marks: number, missing: number): boolean {
    const cells = this.#cells;
    const start = row + rowCells.words;
    const end = start + ((cells[row + rowCells.shape] as number) & wordsMask);
    const initials = missing < initialsMax ? missing + 1 : initialsMax;
    const most = missing > missingWithErrorsMax ? -1 : differingMax;
    for (let index = 0; index < words.length; index += 1) {
      if ((marks & (1 << index)) !== 0) continue;
      const { outline } = words[index] as SoughtWord;
      if (outlineLength(outline) <= initials) return true;
      for (let at = start; at < end; at += 1) {
        const other = cells[at] as number;
        if (differingLetters(outline, other) <= most) return true;
        if (outlineLength(other) <= initials) return true;
      }
    }
    return false;
  }

  /** The same, with at most `errors` typing errors. */
  hasLink(
    row: number,
    words: readonly SoughtWord[],
    marks: number,
    missing: number,
    errors: number,
  ): boolean {
    const cells = this.#cells;
    const listed = (cells[row + rowCells.shape] as number) & wordsMask;
    const start = row + rowCells.words;
    for (let index = 0; index < words.length; index += 1) {
      if ((marks & (1 << index)) !== 0) continue;
      const sought = words[index] as SoughtWord;
      for (let at = start; at < start + listed; at += 1) {
        const outline = cells[at] as number;
        const word = cells[at + listed] as number;
        if (this.#mayBeInitials(word, outline, sought, missing, errors)) return true;
        if (missing > missingWithErrorsMax) continue;
        if (this.#isWithin(word, outline, sought, errors)) return true;
      }
    }
    return false;
  }

  /** As an initial or initials of several words, which costs as much as one error. */
  #mayBeInitials(
    listed: number,
    outline: number,
    sought: SoughtWord,
    missing: number,
    errors: number,
  ): boolean {
    const length = Math.min(outlineLength(outline), outlineLength(sought.outline));
    if (errors < 1 || length > initialsMax || length > missing + 1) return false;
    const { text } = this.#words[listed] as PreparedWord;
    return text.charCodeAt(0) === sought.word.text.charCodeAt(0);
  }

  #isWithin(listed: number, outline: number, sought: SoughtWord, errors: number): boolean {
    if (errors < typingCostMin) return false;
    const most = arePlain(outline, sought.outline)
      ? // An error replaces at most one letter by another.
        2 * Math.floor(errors / typingCostMin)
      : differingMax;
    if (differingLetters(outline, sought.outline) > most) return false;
    const other = this.#words[listed] as PreparedWord;
    const least = leastErrors(sought.word, other, sought.sounds, this.#sounds[listed] as number);
    return least <= errors && wordDistance(other, sought.word) <= errors;
  }
}

/** Typing errors between two words that share no key, at least. */
function leastErrors(
  one: PreparedWord,
  other: PreparedWord,
  sounds: number,
  otherSounds: number,
): number {
  const length = one.text.length;
  const otherLength = other.text.length;
  if (Math.max(length, otherLength) > comparedLettersMax) return 0;
  const soundsOtherwise = one.sound !== one.text || other.sound !== other.text;
  // A word with doubled letters sounds otherwise. Each of them costs half an error.
  const gap = soundsOtherwise ? 0.5 : 1;
  let least = leastOf(one.letters, other.letters, length - otherLength, gap);
  // Long words with one error share a key, so these have two.
  if (Math.min(length, otherLength) >= errorLettersMin) {
    least = Math.max(least, soundsOtherwise ? 1 : 2 * typingCostMin);
  }
  if (!soundsOtherwise) return least;
  const bySound = leastOf(sounds, otherSounds, one.sound.length - other.sound.length, 1);
  return Math.min(least, bySound + 0.25);
}

/**
 * By the letters of two words. Each letter that the longer word has more is a gap. Each letter that only one of them has
 * is in such a gap, or was replaced.
 */
function leastOf(one: number, other: number, more: number, gap: number): number {
  const onlyOne = countBits(one & ~other);
  const onlyOther = countBits(other & ~one);
  if (more >= 0) return more * gap + typingCostMin * Math.max(0, onlyOne - more, onlyOther);
  return -more * gap + typingCostMin * Math.max(0, onlyOther + more, onlyOne);
}
