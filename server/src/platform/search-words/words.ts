// The words by which a user finds a receiver, a payout or a subaccount. They are folded: case, accents and two ways to
// write a letter make no difference. Pure.

import anyAscii from "any-ascii";

/** A longer word is cut: what a user types is a prefix of it. */
const wordCharsMax = 32;
const wholeCharsMax = 64;
const wordsMax = 20;
/** Words of a search. Further ones are left out. */
const queryWordsMax = 6;

/** Letters that have no accent to remove. */
const letters: Record<string, string> = {
  ...{ ß: "ss", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ı: "i", ħ: "h", ŧ: "t" },
  ...{ ة: "ه", ى: "ي", ک: "ك", ی: "ي" },
};
const lettersPattern = new RegExp(`[${Object.keys(letters).join("")}]`, "gu");
const isPlain = /^[ -~]*$/;

/**
 * Lower case, without accents. "Müller" and "Mueller" become "muller", "Søren" and "Soeren" become "soren". The fold of a
 * prefix is a prefix of the fold.
 */
export function fold(text: string): string {
  return foldLetters(text).replaceAll(/([aou])e|aa/g, (pair, vowel: string | undefined) =>
    pair === "aa" ? "a" : (vowel as string),
  );
}

function foldLetters(text: string): string {
  if (isPlain.test(text)) return text.toLowerCase().replaceAll(/['`]/g, "");
  return (
    text
      .normalize("NFKD")
      .toLowerCase()
      // Accents, the Arabic stroke that lengthens a word, and apostrophes.
      .replaceAll(/[\p{M}ـ'`´’‘ʼʿʾ]/gu, "")
      .replaceAll(lettersPattern, (letter) => letters[letter] as string)
      .normalize("NFC")
  );
}

/** The folded words of a text, in order. */
export function foldedWords(text: string): string[] {
  return (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(cut);
}

/** The words that a user searches for. */
export function queryWords(text: string): string[] {
  return [...new Set(foldedWords(text))].slice(0, queryWordsMax);
}

const cut = (word: string) =>
  [...word].length > wordCharsMax ? word.slice(0, wordCharsMax) : word;

export type NamedReceiver = {
  first_name: string;
  middle_name: string;
  last_name: string;
  email: string;
  reference: string;
};

/** Domains that half of all people have: they would find too much. */
const mailboxes = new Set(
  "gmail googlemail hotmail outlook live msn yahoo ymail icloud me aol gmx proton protonmail qq 163 126".split(
    " ",
  ),
);

/** Everything about a receiver that a search compares, folded. */
export function receiverText(receiver: NamedReceiver): string {
  const { first_name, middle_name, last_name, email, reference } = receiver;
  return fold(`${first_name} ${middle_name} ${last_name} ${email} ${reference}`);
}

export function receiverWords(receiver: NamedReceiver): string[] {
  const { first_name, middle_name, last_name, email, reference } = receiver;
  const at = email.lastIndexOf("@");
  // Every address ends with one of a few last labels: they would find too much.
  const domain = email.slice(at + 1).replace(/\.[^.]*$/, "");
  return [
    ...new Set([
      ...nameWords(`${first_name} ${middle_name} ${last_name}`),
      ...joinedName(first_name, last_name),
      ...wholeNames(first_name, last_name),
      ...foldedWords(email.slice(0, Math.max(at, 0))),
      ...foldedWords(domain).filter((word) => !mailboxes.has(word)),
      ...referenceWords(reference),
    ]),
  ].slice(0, wordsMax);
}

export function payoutWords({
  reference,
  amount,
}: {
  reference: string;
  /** In units of its currency. */
  amount: string;
}): string[] {
  return [...new Set([amount, ...referenceWords(reference)])].slice(0, wordsMax);
}

/** The words of a name, and those by which a name in another script is found too. */
export function nameWords(name: string): string[] {
  const words = new Set<string>();
  for (const word of foldedWords(name)) {
    words.add(word);
    if (isPlain.test(word)) continue;
    for (const part of partsOf(word)) words.add(part);
  }
  return [...words];
}

const syllabic = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+$/u;
const withoutLatin =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const arabicArticle = /^ال(?=\p{L}{3})/u;

/** A family name and a given name without a space between them; the Arabic article; the Latin letters of a name. */
function partsOf(word: string): string[] {
  const parts: string[] = [];
  if (syllabic.test(word)) {
    const characters = [...word];
    for (let at = 1; at < Math.min(characters.length, 5); at += 1) {
      parts.push(characters.slice(at).join(""));
    }
  }
  if (arabicArticle.test(word)) parts.push(word.replace(arabicArticle, ""));
  if (withoutLatin.test(word)) parts.push(...latinWords(word));
  return parts;
}

/** "王小明" is "wangxiaoming", and "xiaoming" finds it too. */
function latinWords(word: string): string[] {
  if (!syllabic.test(word)) return foldedWords(anyAscii(word));
  const syllables = [...word].map((character) =>
    fold(anyAscii(character)).replaceAll(/[^a-z0-9]/g, ""),
  );
  return syllables
    .slice(0, 4)
    .map((_, at) => syllables.slice(at).join("").slice(0, wordCharsMax))
    .filter((text) => text.length > 1);
}

/** Both names in both orders: where many have either name, the words alone find too much. */
function wholeNames(first: string, last: string): string[] {
  const [firstWords, lastWords] = [foldedWords(first).join(" "), foldedWords(last).join(" ")];
  if (firstWords === "" || lastWords === "") return [];
  return [`${firstWords} ${lastWords}`, `${lastWords} ${firstWords}`].map((name) =>
    name.slice(0, wholeCharsMax),
  );
}

/** A text of several words as a whole name begins. Undefined: it is one word. */
export function queryName(text: string): string | undefined {
  const words = foldedWords(text);
  return words.length > 1 ? words.join(" ").slice(0, wholeCharsMax) : undefined;
}

/** Written in one word, the family name first. */
function joinedName(first: string, last: string): string[] {
  const [firstWord = "", lastWord = ""] = [fold(first).trim(), fold(last).trim()];
  return syllabic.test(firstWord) && syllabic.test(lastWord) ? [cut(lastWord + firstWord)] : [];
}

/** "INV2041" is found by "2041", and "000123" by "123". */
function referenceWords(reference: string): string[] {
  return foldedWords(reference)
    .slice(0, 6)
    .flatMap((word) => {
      const digits = /^\p{L}*?(\d+)$/u.exec(word)?.[1];
      if (digits === undefined) return [word];
      const number = digits.replace(/^0+(?=\d)/, "");
      return [word, digits, number].filter((text, at, all) => all.indexOf(text) === at);
    });
}

/** Where each word of a search is in a text: begin and end of each part to mark. Words are found at their start. */
export function searchMarksOf(text: string, words: readonly string[]): [number, number][] {
  const marks: [number, number][] = [];
  for (const { 0: found, index } of text.matchAll(/[\p{L}\p{N}\p{M}'’]+/gu)) {
    const folded = fold(found);
    const word = longest(words.filter((wanted) => folded.startsWith(wanted)));
    if (word !== undefined) {
      marks.push([index, index + prefixLength(found, word)]);
      continue;
    }
    const inside = longest(
      words.filter((wanted) => isLongEnough(wanted) && folded.includes(wanted)),
    );
    if (inside === undefined) continue;
    const from = prefixLength(found, folded.slice(0, folded.indexOf(inside)));
    marks.push([index + from, index + from + prefixLength(found.slice(from), inside)]);
  }
  return marks;
}

/** Two letters are in the middle of too many words; two characters of Chinese are a name. */
export function isLongEnough(word: string): boolean {
  return word.length > 2 || !isPlain.test(word);
}

function longest(texts: readonly string[]): string | undefined {
  return texts.reduce<string | undefined>(
    (best, text) => (best === undefined || text.length > best.length ? text : best),
    undefined,
  );
}

/** How many characters of a text have this fold. */
function prefixLength(text: string, folded: string): number {
  if (folded === "") return 0;
  for (let length = 1; length < text.length; length += 1) {
    if (fold(text.slice(0, length)).length < folded.length) continue;
    // The rest of a pair, such as the e of "ue", and accents of the last letter belong to it.
    let end = length;
    while (end < text.length && fold(text.slice(0, end + 1)).length === folded.length) end += 1;
    return end;
  }
  return text.length;
}
