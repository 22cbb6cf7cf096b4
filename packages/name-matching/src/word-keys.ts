// The keys under which a word is found again: words that share one may differ by a typing error or sound alike.

import type { PreparedWord } from "./prepare.ts";
import { toSkeleton, toSound } from "./sound.ts";

/** Key of a text in one of several tables, without one of its letters if `skipped` is a position. */
function hashKey(table: number, text: string, skipped = -1): number {
  let hash = 0x811c9dc5 ^ table;
  for (let at = 0; at < text.length; at += 1) {
    if (at !== skipped) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}

const bySpelling = 1;
const bySkeleton = 2;
const byBareSkeleton = 3;
const byBareOfLacking = 4;

/** Shorter words are too many one error away. The index finds one such word of a name without a key. */
export const errorLettersMin = 5;

/** The word, its skeleton, and a longer word without each of its letters. */
export function spellingKeys({ text, skeleton }: PreparedWord): number[] {
  const keys = [hashKey(bySpelling, text), hashKey(bySkeleton, skeleton)];
  if (text.length < errorLettersMin) return keys;
  for (let at = 0; at < text.length; at += 1) {
    // Both letters of a pair leave the same word.
    if (at > 0 && text[at] === text[at - 1]) continue;
    keys.push(hashKey(bySpelling, text, at));
  }
  return keys;
}

/** Under which a word is kept for words of the other sort: with vowels for those without, and the reverse. */
export function bareKey({ bare, lacksVowels }: PreparedWord): number {
  return hashKey(lacksVowels ? byBareOfLacking : byBareSkeleton, bare);
}

/** Under which words of the other sort are found. */
export function otherBareKey({ bare, lacksVowels }: PreparedWord): number {
  return hashKey(lacksVowels ? byBareSkeleton : byBareOfLacking, bare);
}

/** For words that another name may write as one. */
export function gluedKey(text: string): number {
  return hashKey(bySkeleton, toSkeleton(toSound(text)));
}

/** The same for one word, whose skeleton is known. That of a word with digits is the word. */
export function gluedKeyOf({ text, skeleton }: PreparedWord): number {
  return skeleton === text ? gluedKey(text) : hashKey(bySkeleton, skeleton);
}
