// Compares two names: 1 less what each difference between them costs. docs/compliance/screening.md explains it with an example.

import {
  type Alignment,
  alignWords,
  type WordLink,
  type WordLinkKind,
  wordDistance,
} from "./align.ts";
import { countBits } from "./bits.ts";
import { areCompatibleForms } from "./legal-forms.ts";
import type { NameKind, PreparedName, PreparedWord } from "./prepare.ts";

/** At this score and above, two names may be of one person or organisation. One number, used for everything. */
export const matchThreshold = 0.7;

export type NameReason = {
  left: string;
  right: string;
  how: WordLinkKind | "missing" | "other" | "repeated" | "order" | "father" | "form";
  /** How much the word says, 0 to 1. */
  weight: number;
};

const costs = {
  /** For each typing error; in names of few letters 1 / letters. */
  typing: 0.14,
  glued: 0.03,
  initial: 0.14,
  /** A word that one name has more. */
  missing: 0.14,
  missingPatronymic: 0.06,
  missingLight: 0.02,
  /** Only one word of a person's name was found in the other. */
  missingFromOne: 0.31,
  repeated: 0.02,
  /** A word of each name that has no partner in the other. */
  other: 0.45,
  order: 0.02,
  father: 0.35,
  form: 0.35,
};

/** With more typing errors, no name matches. */
export const errorsMax = (1 - matchThreshold) / costs.typing;

/** Where less was found than this weight of words, each word that is missing costs more. */
const evidenceWanted = { person: 1.7, organisation: 1.4 };
/** A shorter word says less. */
export const lettersWanted = 5;

export function compareNames(
  a: PreparedName,
  b: PreparedName,
): { score: number; reasons: NameReason[] } {
  const reasons: NameReason[] = [];
  return { score: scoreNames(a, b, reasons), reasons };
}

/** The score of compareNames, without the reasons where they are not asked for. */
export function scoreNames(a: PreparedName, b: PreparedName, reasons?: NameReason[]): number {
  const alignment = alignWords(a, b);
  const found = { errors: 0, letters: 0, linked: 0, evidence: 0 };
  let cost = 0;
  for (const link of alignment.links) {
    addLink(found, link, a, b);
    if (link.how === "glued") cost += costs.glued;
    if (link.how === "initial") cost += costs.initial;
    reasons?.push(explainLink(link, a, b));
  }
  if (found.linked === 0) return 0;
  cost += found.errors * Math.max(costs.typing, 1 / Math.max(1, found.letters));
  if ((alignment.leftOver | alignment.rightOver) !== 0) {
    cost += costOfRest(a, b, alignment, found, reasons);
  }
  if (isOtherOrder(alignment.links)) {
    cost += costs.order;
    reasons?.push({ left: "", right: "", how: "order", weight: 0 });
  }
  const father = findSwappedFather(a, b, alignment.links);
  if (father) {
    cost += costs.father;
    reasons?.push({ ...father, how: "father", weight: 1 });
  }
  if (a.form && b.form && !areCompatibleForms(a.form, b.form)) {
    cost += costs.form;
    reasons?.push({ left: a.form, right: b.form, how: "form", weight: 1 });
  }
  return Math.max(0, 1 - cost);
}

/** What names cost at least: errors of the words that were found, and the weight of those that are missing. */
export function leastCost(
  kind: NameKind,
  errors: number,
  missing: number,
  evidence: number,
): number {
  const ratio = Math.max(1, evidenceWanted[kind] / evidence);
  return errors * costs.typing + missing * costs.missing * ratio * ratio;
}

/** How much a word costs that is missing, against one of weight 1. */
export function missingWeight({ role, weight }: PreparedWord): number {
  return role === "patronymic" ? costs.missingPatronymic / costs.missing : weight;
}

type Found = {
  /** Typing errors in the words that were found. */
  errors: number;
  /** Letters of these words, those of common words less. */
  letters: number;
  linked: number;
  evidence: number;
};

function addLink(found: Found, link: WordLink, a: PreparedName, b: PreparedName): void {
  found.errors += link.distance;
  if (link.how === "initial") return;
  let weight = 0;
  let isLight = true;
  const [left, right] = [a, b].map(({ words }, side) => {
    let letters = 0;
    for (let bits = side === 0 ? link.left : link.right; bits !== 0; bits &= bits - 1) {
      const word = words[31 - Math.clz32(bits & -bits)] as PreparedWord;
      letters += lettersOf(word);
      weight = Math.max(weight, word.weight);
      if (word.role !== "light") isLight = false;
    }
    return letters;
  }) as [number, number];
  const letters = Math.min(left, right);
  found.letters += letters * weight;
  if (isLight) return;
  found.linked += link.how === "glued" ? 2 : 1;
  found.evidence += weight * Math.min(1, letters / lettersWanted);
}

/** Letters that can be compared: of words without written vowels, half of the consonants. */
function lettersOf({ text, bare, lacksVowels }: PreparedWord): number {
  return lacksVowels ? bare.length / 2 : text.length;
}

function explainLink(link: WordLink, a: PreparedName, b: PreparedName): NameReason {
  const left = pick(a.words, link.left);
  const right = pick(b.words, link.right);
  const weight = Math.max(...[...left, ...right].map((word) => word.weight));
  return { left: show(left), right: show(right), how: link.how, weight };
}

function costOfRest(
  a: PreparedName,
  b: PreparedName,
  { leftOver, rightOver }: Alignment,
  { linked, evidence }: Found,
  reasons: NameReason[] | undefined,
): number {
  const left = openWords(a.words, leftOver, b.words);
  const right = openWords(b.words, rightOver, a.words);
  const light = countBits(leftOver) + countBits(rightOver) - left.length - right.length;
  let cost = light * costs.missingLight;
  const both = Math.min(left.length, right.length);
  for (let at = 0; at < both; at += 1) {
    const [one, other] = [left[at] as OpenWord, right[at] as OpenWord];
    cost += costs.other;
    const weight = Math.max(one.word.weight, other.word.weight);
    reasons?.push({ left: one.word.text, right: other.word.text, how: "other", weight });
  }
  const scale = Math.max(1, (evidenceWanted[a.kind] / evidence) ** 2);
  const isOneWord = linked < 2 && a.kind === "person";
  const longer = left.length > right.length ? left : right;
  for (let at = both; at < longer.length; at += 1) {
    const { word, isRepeated } = longer[at] as OpenWord;
    if (isRepeated) cost += costs.repeated;
    else if (isOneWord) cost += costs.missingFromOne;
    else if (word.role === "patronymic") cost += costs.missingPatronymic;
    else cost += word.weight * costs.missing * scale;
    const how = isRepeated ? "repeated" : "missing";
    const [one, other] = longer === left ? [word.text, ""] : ["", word.text];
    reasons?.push({ left: one, right: other, how, weight: word.weight });
  }
  return cost;
}

type OpenWord = { word: PreparedWord; isRepeated: boolean };

/** The words without a partner, those that say most first, and repeated ones ("Shoigu Shoigu Sergey") last. */
function openWords(
  words: readonly PreparedWord[],
  over: number,
  others: readonly PreparedWord[],
): OpenWord[] {
  const open: OpenWord[] = [];
  for (const word of pick(words, over)) {
    if (word.role !== "light") open.push({ word, isRepeated: others.some(isSpelledLike(word)) });
  }
  return open.length < 2
    ? open
    : open.sort((one, other) =>
        one.isRepeated === other.isRepeated
          ? other.word.weight - one.word.weight
          : Number(one.isRepeated) - Number(other.isRepeated),
      );
}

function isSpelledLike(word: PreparedWord): (other: PreparedWord) => boolean {
  return (other) =>
    other.skeleton === word.skeleton &&
    (other.text === word.text || wordDistance(word, other) < 0.3);
}

function pick(words: readonly PreparedWord[], bits: number): PreparedWord[] {
  return bits === 0 ? [] : words.filter((_, index) => (bits & (1 << index)) !== 0);
}

function show(words: readonly PreparedWord[]): string {
  return words.map(({ text }) => text).join(" ");
}

function isOtherOrder(links: readonly WordLink[]): boolean {
  for (const one of links) {
    for (const other of links) {
      if (one.left < other.left && one.right > other.right) return true;
    }
  }
  return false;
}

/** "Salman bin Muhammad" is the son of "Muhammad bin Salman". */
function findSwappedFather(
  a: PreparedName,
  b: PreparedName,
  links: readonly WordLink[],
): { left: string; right: string } | undefined {
  const sons = sonsOf(a);
  const others = sons.length === 0 ? [] : sonsOf(b);
  if (others.length === 0) return undefined;
  const partner = (bit: number) => links.find(({ left }) => left === bit)?.right;
  for (const { son, father } of sons) {
    const found = others.find(
      (other) => other.son === partner(father) && other.father === partner(son),
    );
    if (!found) continue;
    return {
      left: show(pick(a.words, son | father)),
      right: show(pick(b.words, found.son | found.father)),
    };
  }
  return undefined;
}

/** Bits of the words before and after each "bin". */
function sonsOf({ words }: PreparedName): { son: number; father: number }[] {
  const sons: { son: number; father: number }[] = [];
  for (let at = 1; at + 1 < words.length; at += 1) {
    const { text, role } = words[at] as PreparedWord;
    if (text === "bin" && role === "light") {
      sons.push({ son: 1 << (at - 1), father: 1 << (at + 1) });
    }
  }
  return sons;
}
