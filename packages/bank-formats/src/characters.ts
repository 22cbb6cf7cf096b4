// Characters of bank files: every format takes few of them, so names and references are transliterated first.

import anyAscii from "any-ascii";

/** The characters that a format takes. All are ASCII. */
export type CharacterSet = { readonly others: RegExp };

/** Letters, digits and the space, and those of `punctuation`, each written once as itself. */
export function characterSet(punctuation: string): CharacterSet {
  const escaped = punctuation.replace(/[\\\]^-]/g, "\\$&");
  return { others: new RegExp(`[^A-Za-z0-9 ${escaped}]`, "gu") };
}

/** Every printable ASCII character. */
export const printableAscii = characterSet("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~");

const plain = /^[ -~]*$/;

/**
 * The text as a field of a bank file takes it: transliterated, other characters as spaces, no spaces at the ends or
 * in a row, and no longer than `length`. Empty where nothing is left, and then the format can't carry the text.
 */
export function toBankText(text: string, { others }: CharacterSet, length: number): string {
  const ascii = plain.test(text) ? text : anyAscii(text);
  // Cutting may leave a space at the end.
  return ascii.replace(others, " ").replace(/ {2,}/g, " ").trim().slice(0, length).trimEnd();
}

/** Where the first character is that the set lacks; -1 where there is none. */
export function findForeignCharacter(text: string, { others }: CharacterSet): number {
  return text.search(others);
}

/** For messages: the character, where it can be printed, and its number. */
export function nameCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const isPrintable = /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character);
  return isPrintable ? `"${character}" (U+${code})` : `U+${code}`;
}
