// Text of a name in any script becomes words of a to z and digits.

import anyAscii from "any-ascii";

/** The scripts that write few or no vowels. A word of them is compared by its consonants. */
const withoutVowels = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}\p{Script=Syriac}]/u;
/** In these scripts a word such as "bin" is a syllable of a name. */
const syllabic = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** The article, which Arabic writes as part of the word. */
const arabicArticle = /(?<!\p{L})ال(?=\p{L}{3})/gu;
const isAscii = /^[ -~]*$/;

export type RawWord = { text: string; lacksVowels: boolean; isSyllabic: boolean };

/**
 * The words in order. Apostrophes vanish (Sa'd, d'Arc), single letters with dots are one word (S.A., o.o.o.), and
 * everything else that is no letter or digit separates words.
 */
export function toWords(name: string): RawWord[] {
  const text = name.includes("%") ? name.replaceAll("%", " percent") : name;
  if (isAscii.test(text)) return splitAscii(text).map((word) => toRawWord(word, ""));
  return text
    .normalize("NFKC")
    .replaceAll(arabicArticle, "al ")
    .split(/[\s,;:/()[\]{}"«»“”„|_·•\-‐‑–—&]+/u)
    .flatMap((part) => splitAscii(anyAscii(part)).map((word) => toRawWord(word, part)));
}

function toRawWord(text: string, original: string): RawWord {
  if (original === "") return { text, lacksVowels: false, isSyllabic: false };
  return { text, lacksVowels: withoutVowels.test(original), isSyllabic: syllabic.test(original) };
}

function splitAscii(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replaceAll(/['`^~]/g, "")
    .replaceAll("&", " and ");
  return (plain.includes(".") ? joinInitials(plain) : plain)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** "s.a.r.l." becomes "sarl". "j.r.smith" becomes "jr smith". */
function joinInitials(text: string): string {
  return text.replaceAll(/(?<![a-z0-9])(?:[a-z]\.)+(?:[a-z](?![a-z0-9]))?/g, (run) => {
    return `${run.replaceAll(".", "")} `;
  });
}

const lookalikes: Record<string, string> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "9": "g",
};

/** A digit among the letters of a person's name is a letter that looks or is typed like it. */
export function withoutLookalikes(word: string): string {
  if (!/[0-9]/.test(word) || !/[a-z]/.test(word)) return word;
  return word.replaceAll(/[0-9]/g, (digit) => lookalikes[digit] ?? digit);
}
