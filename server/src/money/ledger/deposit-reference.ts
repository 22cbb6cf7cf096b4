// Deposit references: ten characters by which a bank's line says whose balance it funds. Pure.

import { randomBytes } from "node:crypto";

/** Crockford's base 32: no I, L, O and U, which people confuse with others. A character's place is its value. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const length = 10;

/** U stands for no value: it is no part of a reference, and no separator either. */
const noValue = 32;

/** The value of each letter and digit as people and banks write it: in any case, I and L for 1, O for 0. */
const readValues: ReadonlyMap<string, number> = new Map(
  [...alphabet, ..."ILOU"].flatMap((character, place): [string, number][] => {
    const value = place < 32 ? place : ([1, 1, 0, noValue][place - 32] as number);
    return [
      [character, value],
      [character.toLowerCase(), value],
    ];
  }),
);

/**
 * Each value times the primitive element x of GF(32), modulo x^5 + x^2 + 1. The powers of x are 31 different values,
 * and ten of them are the weights. So a wrong character and a swap of any two characters always change the sum.
 */
const timesX = Array.from({ length: 32 }, (_, value) => {
  const doubled = value << 1;
  return doubled & 0b100000 ? doubled ^ 0b100101 : doubled;
});

/** The sum of ten values, each times a power of x: the last counts once, the one before it times x. Zero: they fit. */
function weightedSum(values: readonly number[], start = 0): number {
  let sum = 0;
  for (let place = start; place < start + length; place += 1) {
    const value = values[place] as number;
    if (value === noValue) return noValue;
    sum = (timesX[sum] as number) ^ value;
  }
  return sum;
}

function toText(values: readonly number[]): string {
  return values.map((value) => alphabet[value]).join("");
}

export function newDepositReference(): string {
  for (;;) {
    const values = [...randomBytes(length - 1)].map((byte) => byte & 31);
    const reference = toText([...values, weightedSum([...values, 0])]);
    // Digits alone could be part of an account number, letters alone of a name.
    if (/\d/.test(reference) && /[A-Z]/.test(reference)) return reference;
  }
}

/** Whether it is written exactly as we write it, and its check character fits. */
export function isDepositReference(text: string): boolean {
  return text.length === length && depositReferencesIn(text)[0] === text;
}

/**
 * Every reference that a text may carry, in its order: in any case, with separators between its characters, and next to
 * other letters. One text in 32 that only looks like a reference has a fitting check character, so each has to be looked up.
 */
export function depositReferencesIn(text: string): string[] {
  const values: number[] = [];
  for (const character of text) {
    const value = readValues.get(character);
    if (value !== undefined) values.push(value);
  }
  const found = new Set<string>();
  for (let start = 0; start + length <= values.length; start += 1) {
    if (weightedSum(values, start) === 0) found.add(toText(values.slice(start, start + length)));
  }
  return [...found];
}

/**
 * The references that differ from a word of the text, or from two neighbouring words, in one place: another character, two
 * neighbours swapped, one too many or too few. They are only suggestions.
 */
export function similarDepositReferences(text: string): string[] {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const found = new Set<string>();
  for (const [index, word] of words.entries()) {
    for (const written of [word, word + (words[index + 1] ?? "")]) {
      if (Math.abs(written.length - length) > 1) continue;
      const values = [...written].map((character) => readValues.get(character) ?? noValue);
      for (const changed of changesOf(values)) {
        if (changed.length === length && weightedSum(changed) === 0) found.add(toText(changed));
      }
    }
  }
  return [...found];
}

function* changesOf(values: readonly number[]): Generator<number[]> {
  for (let place = 0; place <= values.length; place += 1) {
    const [before, after] = [values.slice(0, place), values.slice(place + 1)];
    const [value, next] = [values[place], values[place + 1]];
    yield [...before, ...after];
    if (value !== undefined && next !== undefined) {
      yield [...before, next, value, ...values.slice(place + 2)];
    }
    for (let other = 0; other < noValue; other += 1) {
      yield [...before, other, ...after];
      yield [...before, other, ...values.slice(place)];
    }
  }
}

/** For people, in two groups of five. */
export function showDepositReference(reference: string): string {
  return `${reference.slice(0, 5)} ${reference.slice(5)}`;
}
