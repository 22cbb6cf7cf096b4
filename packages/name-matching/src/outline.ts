// The outline of a word: one number that tells most words apart.

import { countBits } from "./bits.ts";
import { comparedLettersMax } from "./distance.ts";
import type { PreparedWord } from "./prepare.ts";

/** In the lowest bit, whether it is compared otherwise than by its letters; its letters as bits; above them its length. */
export function outlineOf({ text, sound, letters }: PreparedWord): number {
  const length = Math.min(text.length, outlineLengthMax);
  const isPlain = sound === text && text.length <= comparedLettersMax;
  return (length << lengthShift) | (letters & lettersMask) | (isPlain ? 0 : otherwise);
}

const otherwise = 1;
const lengthShift = 27;
const lettersMask = (1 << lengthShift) - 1 - otherwise;
const outlineLengthMax = 31;

/** Up to 31. */
export function outlineLength(outline: number): number {
  return outline >>> lengthShift;
}

/** How many letters only one of two words has. */
export function differingLetters(one: number, other: number): number {
  return countBits((one ^ other) & lettersMask);
}

/** Whether two words are compared by their letters only: both sound as they are written. */
export function arePlain(one: number, other: number): boolean {
  return ((one | other) & otherwise) === 0;
}
