// Prepares a name for comparing: its words, how each sounds, and which of them say little. Done once for each name.

import { countBits, letterBits } from "./bits.ts";
import { editDistance, typingCosts } from "./distance.ts";
import { type LegalFamily, legalFormAt, legalWords } from "./legal-forms.ts";
import { toBareSkeleton, toSkeleton, toSound } from "./sound.ts";
import { type RawWord, toWords, withoutLookalikes } from "./transliterate.ts";
import {
  commonNames,
  generalWords,
  numberWords,
  particles,
  patronymic,
  sameWords,
  titles,
} from "./word-tables.ts";

export type NameKind = "person" | "organisation";

/** Light words are titles and particles: they may be missing, and never make a name. */
export type WordRole = "full" | "light" | "patronymic";

export type PreparedWord = {
  readonly text: string;
  readonly sound: string;
  readonly skeleton: string;
  /** The consonants that scripts without vowels write. */
  readonly bare: string;
  readonly role: WordRole;
  /** Without a list to count in: how much it says, 0 to 1. */
  readonly weight: number;
  readonly lacksVowels: boolean;
  /** Which letters it has, as bits. */
  readonly letters: number;
};

export type PreparedName = {
  readonly text: string;
  readonly kind: NameKind;
  readonly words: readonly PreparedWord[];
  /** Of a company. */
  readonly form: LegalFamily | undefined;
};

/** What is left of a longer text is enough to compare. */
const wordsMax = 16;

export function prepareName(text: string, kind: NameKind): PreparedName {
  const raw = toWords(text).slice(0, 2 * wordsMax);
  if (kind === "person") return preparePerson(text, raw);
  const { words, form } = withoutForms(raw.map((word) => ({ ...word, text: spellOut(word.text) })));
  const joined = joinNumbers(words).slice(0, wordsMax);
  const isAllLight = joined.every((word) => particles.has(word.text));
  const prepared = joined.map((word) =>
    organisationWord(word, !isAllLight && particles.has(word.text)),
  );
  return { text, kind, words: prepared, form };
}

const commonSkeletons = new Set([...commonNames].map((name) => toSkeleton(toSound(name))));

function preparePerson(text: string, raw: readonly RawWord[]): PreparedName {
  const plain = raw.map((word) => ({ ...word, text: withoutLookalikes(word.text) }));
  const joined = joinServants(plain).slice(0, wordsMax);
  const roles = joined.map(personRole);
  const fullWords = roles.filter((role) => role !== "light").length;
  const words = joined.map((word, index) => {
    // "Amir Sultan" is a name of two titles, "Das" one of a particle.
    const isName = fullWords === 0 || (fullWords < 2 && titles.has(word.text));
    return personWord(word, isName ? "full" : (roles[index] as WordRole));
  });
  return { text, kind: "person", words, form: undefined };
}

function personRole({ text, isSyllabic }: RawWord): WordRole {
  if (!isSyllabic && (titles.has(text) || particles.has(text))) return "light";
  return patronymic.test(text) ? "patronymic" : "full";
}

function personWord({ text, lacksVowels }: RawWord, role: WordRole): PreparedWord {
  const canonical = (role === "light" ? particles.get(text) : undefined) ?? text;
  const sound = toSound(canonical);
  const skeleton = toSkeleton(sound);
  const isCommon = commonSkeletons.has(skeleton);
  return {
    text: canonical,
    sound,
    skeleton,
    bare: toBareSkeleton(skeleton),
    role,
    weight: role === "light" ? 0.1 : isCommon ? 0.7 : 1,
    lacksVowels,
    letters: letterBits(canonical),
  };
}

const servant = /^abd(?:[aeou]l|oul)?$/;
const articles = new Set(["al", "el", "ul", "ur", "ar", "er", "us", "as", "ud", "ad", "ed"]);
const religion = /^d(?:in|een|ine)$/;
const ofReligion = /^(?:[aeu]dd?|[aeu]ld)(?:in|een|ine)$/;
const endsOfReligion = /(?<=.{3})(?:ou|[aeu])[dl]d(?:in|een|ine)$/;

/**
 * "Abd al-Aziz", "Abdel Aziz" and "Abdul Aziz" are one name, "servant of"; so are "Saif al-Din" and "Saifuddin". Both are
 * one word here.
 */
function joinServants(words: readonly RawWord[]): RawWord[] {
  const joined: RawWord[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as RawWord;
    const next = words[at + 1]?.text;
    const afterNext = words[at + 2]?.text;
    const hasArticle = next !== undefined && afterNext !== undefined && articles.has(next);
    const isServant = next !== undefined && servant.test(word.text);
    let { text } = word;
    if (isServant && hasArticle) {
      text = `abdul${afterNext}`;
      at += 2;
    } else if (isServant && !particles.has(next)) {
      text = `abdul${next}`;
      at += 1;
    } else if (hasArticle && religion.test(afterNext)) {
      text += "uddin";
      at += 2;
    } else if (next !== undefined && ofReligion.test(next)) {
      text += "uddin";
      at += 1;
    } else if (/d(?:in|ine|een)$/.test(text)) {
      text = text.replace(endsOfReligion, "uddin");
    }
    joined.push(text === word.text ? word : { ...word, text });
  }
  return joined;
}

function organisationWord({ text, lacksVowels }: RawWord, isLight: boolean): PreparedWord {
  const sound = toSound(text);
  const skeleton = /\d/.test(text) ? text : toSkeleton(sound);
  return {
    text,
    sound,
    skeleton,
    bare: toBareSkeleton(skeleton),
    role: isLight ? "light" : "full",
    weight: isLight ? 0.05 : generalWords.has(text) ? 0.6 : 1,
    lacksVowels,
    letters: letterBits(text),
  };
}

function spellOut(word: string): string {
  return sameWords.get(word) ?? word;
}

/** Takes the legal forms from both ends. A name of nothing else keeps its words. */
function withoutForms(all: readonly RawWord[]): {
  words: readonly RawWord[];
  form: LegalFamily | undefined;
} {
  const texts = all.map(({ text }) => correctLegalWord(text));
  let start = 0;
  let end = texts.length;
  let form: LegalFamily | undefined;
  const take = (family: LegalFamily) => {
    // "Company limited" at one end and "LLC" at the other: the one that says more counts.
    if (form === undefined || form === "any") form = family;
  };
  for (let found = legalFormAt(texts.slice(0, end), start); found; ) {
    start += found.count;
    take(found.family);
    found = legalFormAt(texts.slice(0, end), start);
  }
  for (let from = start + 1; from < end; from += 1) {
    const found = legalFormAt(texts.slice(0, end), from);
    if (!found || from + found.count !== end) continue;
    take(found.family);
    end = from;
    from = start;
  }
  if (start >= end) return { words: all, form: undefined };
  return { words: all.slice(start, end), form };
}

/** A long word of a legal form with one typing error is that word. */
function correctLegalWord(word: string): string {
  if (word.length < 5 || legalWords.has(word) || generalWords.has(word)) return word;
  const letters = letterBits(word);
  for (const [legal, legalLetters] of legalWords) {
    // One error changes at most two letters.
    if (countBits(letters ^ legalLetters) > 2) continue;
    if (Math.abs(legal.length - word.length) > 1) continue;
    if (editDistance(word, legal, typingCosts, 1.01) <= 1) return legal;
  }
  return word;
}

/** "forty 4" becomes "44", "three" becomes "3". */
function joinNumbers(words: readonly RawWord[]): RawWord[] {
  const joined: RawWord[] = [];
  let isTens = false;
  for (const word of words) {
    const value =
      numberWords.get(word.text) ?? (/^\d$/.test(word.text) ? Number(word.text) : undefined);
    const last = joined.at(-1);
    if (isTens && last && value !== undefined && value > 0 && value < 10) {
      joined[joined.length - 1] = { ...last, text: String(Number(last.text) + value) };
      isTens = false;
      continue;
    }
    joined.push(value === undefined ? word : { ...word, text: String(value) });
    isTens = value !== undefined && value >= 20;
  }
  return joined;
}
