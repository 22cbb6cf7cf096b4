// Pairs the words of two names: the same word first, then glued words, typing errors, initials.

import { countBits } from "./bits.ts";
import { editDistance, spellingCosts, typingCosts } from "./distance.ts";
import type { PreparedName, PreparedWord } from "./prepare.ts";

export type WordLinkKind = "same" | "sound" | "spelling" | "glued" | "initial";

/** Words of the left name that stand for words of the right one, as bits by position. */
export type WordLink = {
  readonly left: number;
  readonly right: number;
  readonly how: WordLinkKind;
  /** Typing errors between them. */
  readonly distance: number;
};

export type Alignment = {
  readonly links: readonly WordLink[];
  /** Bits of the words without a partner. */
  readonly leftOver: number;
  readonly rightOver: number;
};

type Words = readonly PreparedWord[];

/** More typing errors than this make another word. */
export const distanceMax = 2.5;

export function alignWords(a: PreparedName, b: PreparedName): Alignment {
  const state: State = {
    left: a.words,
    right: b.words,
    links: [],
    leftOpen: (1 << a.words.length) - 1,
    rightOpen: (1 << b.words.length) - 1,
  };
  linkSame(state);
  if (state.leftOpen !== 0 && state.rightOpen !== 0) {
    linkGlued(state);
    linkSimilar(state);
    linkInitials(state);
  }
  return { links: state.links, leftOver: state.leftOpen, rightOver: state.rightOpen };
}

type State = {
  readonly left: Words;
  readonly right: Words;
  readonly links: WordLink[];
  leftOpen: number;
  rightOpen: number;
};

function add(state: State, link: WordLink): void {
  state.links.push(link);
  state.leftOpen &= ~link.left;
  state.rightOpen &= ~link.right;
}

function linkSame(state: State): void {
  const { left, right } = state;
  for (let i = 0; i < left.length; i += 1) {
    for (let j = 0; j < right.length; j += 1) {
      if ((state.rightOpen & (1 << j)) === 0) continue;
      if ((left[i] as PreparedWord).text !== (right[j] as PreparedWord).text) continue;
      add(state, { left: 1 << i, right: 1 << j, how: "same", distance: 0 });
      break;
    }
  }
}

const gluedMax = 3;
/** Two short words as one say too little. */
export const gluedLengthMin = 6;

/** "Sergei Lavrov" and "SergeiLavrov". */
function linkGlued(state: State): void {
  for (const isLeft of [true, false]) {
    const parts = isLeft ? state.left : state.right;
    const wholes = isLeft ? state.right : state.left;
    for (let count = 2; count <= gluedMax; count += 1) {
      for (let start = 0; start + count <= parts.length; start += 1) {
        const bits = ((1 << count) - 1) << start;
        if (((isLeft ? state.leftOpen : state.rightOpen) & bits) !== bits) continue;
        const at = findGlued(
          parts,
          start,
          count,
          wholes,
          isLeft ? state.rightOpen : state.leftOpen,
        );
        if (at < 0) continue;
        const text = joinText(parts, start, count);
        const distance = editDistance(text, (wholes[at] as PreparedWord).text, typingCosts, 2);
        add(state, {
          left: isLeft ? bits : 1 << at,
          right: isLeft ? 1 << at : bits,
          how: "glued",
          distance,
        });
      }
    }
  }
}

/** The position of an open word that is the words from `start` as one, or -1. */
function findGlued(
  parts: Words,
  start: number,
  count: number,
  wholes: Words,
  open: number,
): number {
  let length = 0;
  for (let at = start; at < start + count; at += 1)
    length += (parts[at] as PreparedWord).text.length;
  if (length < gluedLengthMin) return -1;
  let text = "";
  for (let at = 0; at < wholes.length; at += 1) {
    const whole = (wholes[at] as PreparedWord).text;
    if ((open & (1 << at)) === 0 || Math.abs(whole.length - length) > 1) continue;
    text ||= joinText(parts, start, count);
    if (isGlued(text, whole)) return at;
  }
  return -1;
}

function joinText(words: Words, start: number, count: number): string {
  let text = "";
  for (let at = start; at < start + count; at += 1) text += (words[at] as PreparedWord).text;
  return text;
}

/** Whether several words as one, `text`, are a word, but for one typing error in longer ones. */
export function isGlued(text: string, word: string): boolean {
  if (text === word) return true;
  if (Math.abs(text.length - word.length) > 1 || text.length < 7) return false;
  return editDistance(text, word, typingCosts, 1.01) <= 1;
}

function linkSimilar(state: State): void {
  const { left, right } = state;
  const found: WordLink[] = [];
  for (let i = 0; i < left.length; i += 1) {
    if ((state.leftOpen & (1 << i)) === 0) continue;
    for (let j = 0; j < right.length; j += 1) {
      if ((state.rightOpen & (1 << j)) === 0) continue;
      const one = left[i] as PreparedWord;
      const other = right[j] as PreparedWord;
      if ((one.role === "light") !== (other.role === "light")) continue;
      const distance = wordDistance(one, other);
      if (distance >= distanceMax) continue;
      const how = one.skeleton === other.skeleton ? "sound" : "spelling";
      found.push({ left: 1 << i, right: 1 << j, how, distance });
    }
  }
  found.sort((one, other) => one.distance - other.distance);
  for (const link of found) {
    if ((state.leftOpen & link.left) !== 0 && (state.rightOpen & link.right) !== 0)
      add(state, link);
  }
}

/** Typing errors between two words; `distanceMax` where they are different words. */
export function wordDistance(one: PreparedWord, other: PreparedWord): number {
  if (one.text === other.text) return 0;
  // One of them has no vowels, so the consonants have to be the same.
  if (one.lacksVowels !== other.lacksVowels) return one.bare === other.bare ? 0.5 : distanceMax;
  const soundsAlike = one.skeleton === other.skeleton;
  // Two typing errors change at most four letters.
  if (!soundsAlike && countBits(one.letters ^ other.letters) > 4) return distanceMax;
  const costs = soundsAlike ? spellingCosts : typingCosts;
  const limit = errorLimit(Math.max(one.text.length, other.text.length));
  const written = editDistance(one.text, other.text, costs, limit);
  if (written <= 0.25) return written;
  const isWrittenAsSpoken = one.sound === one.text && other.sound === other.text;
  if (isWrittenAsSpoken) return written < limit ? written : distanceMax;
  const spoken = editDistance(one.sound, other.sound, costs, limit);
  const distance = Math.min(written, spoken + 0.25);
  return distance < limit ? distance : distanceMax;
}

/** Errors in more than two thirds of the letters make another word, and so does one in a word of two. */
function errorLimit(length: number): number {
  return length <= 2 ? 0.9 : Math.min(distanceMax, 0.67 * length + 0.01);
}

/** Longer words are no initials. */
export const initialsMax = 4;

/** "J" and "Joachim", "JC" and "Jean Claude". */
function linkInitials(state: State): void {
  linkInitialsOf(state, true);
  linkInitialsOf(state, false);
}

function linkInitialsOf(state: State, isLeft: boolean): void {
  const shorts = isLeft ? state.left : state.right;
  const longs = isLeft ? state.right : state.left;
  for (let at = 0; at < shorts.length; at += 1) {
    const { text } = shorts[at] as PreparedWord;
    if (
      ((isLeft ? state.leftOpen : state.rightOpen) & (1 << at)) === 0 ||
      text.length > initialsMax
    )
      continue;
    for (let start = 0; start + text.length <= longs.length; start += 1) {
      const bits = ((1 << text.length) - 1) << start;
      if (((isLeft ? state.rightOpen : state.leftOpen) & bits) !== bits) continue;
      if (!spells(text, longs, start)) continue;
      const [left, right] = isLeft ? [1 << at, bits] : [bits, 1 << at];
      add(state, { left, right, how: "initial", distance: 0 });
      break;
    }
  }
}

function spells(initials: string, words: Words, start: number): boolean {
  for (let at = 0; at < initials.length; at += 1) {
    const word = words[start + at] as PreparedWord;
    if (word.text.length < 2 || word.text[0] !== initials[at]) return false;
  }
  return true;
}
