// Compares two names: 1 less what each difference between them costs. docs/screening.md explains it with an example.

import {
  type Alignment,
  alignWords,
  type WordLink,
  type WordLinkKind,
  wordDistance,
} from "./align.ts";
import { countBits } from "./bits.ts";
import { areCompatibleForms } from "./legal-forms.ts";
import type { PreparedName, PreparedWord } from "./prepare.ts";

/** At this score and above, two names may be of one person or organisation. One number, used for everything. */
export const matchThreshold = 0.7;

export type NameReason = {
  left: string;
  right: string;
  how: WordLinkKind | "missing" | "other" | "repeated" | "order" | "form";
  /** How much the word says, 0 to 1. */
  weight: number;
};

/** How much a word says. */
export type WeighWord = (word: PreparedWord) => number;

const costs = {
  /** For each typing error, or less letters make it more. */
  typing: 0.14,
  lettersOfTyping: 1,
  glued: 0.03,
  initial: 0.14,
  /** A word that one name has more. */
  missing: 0.14,
  missingFromOneWord: 0.31,
  repeated: 0.02,
  missingLight: 0.02,
  missingPatronymic: 0.06,
  /** A word of each name that has no partner in the other. */
  other: 0.45,
  otherLight: 0.03,
  order: 0.02,
  swappedFather: 0.35,
  form: 0.35,
};

export function compareNames(
  a: PreparedName,
  b: PreparedName,
  weigh: WeighWord = ({ weight }) => weight,
): { score: number; reasons: NameReason[] } {
  const alignment = alignWords(a, b);
  const reasons: NameReason[] = [];
  let cost = 0;

  let errors = 0;
  let letters = 0;
  let linked = 0;
  for (const link of alignment.links) {
    const left = pick(a.words, link.left);
    const right = pick(b.words, link.right);
    const weight = Math.max(...[...left, ...right].map(weigh));
    reasons.push({ left: show(left), right: show(right), how: link.how, weight });
    errors += link.distance;
    const length = Math.min(lettersOf(left), lettersOf(right));
    if (link.how === "glued") cost += costs.glued;
    if (link.how === "initial") cost += costs.initial;
    else {
      letters += length * Math.min(1, weight);
      linked += link.how === "glued" ? 2 : left[0]?.role === "light" ? 0 : 1;
    }
  }
  cost += errors * Math.max(costs.typing, costs.lettersOfTyping / Math.max(1, letters));
  if (linked === 0) cost = 1;

  cost += costOfRest(a, b, alignment, { linked, weigh, reasons });
  if (isOtherOrder(alignment.links)) {
    cost += costs.order;
    reasons.push({ left: a.text, right: b.text, how: "order", weight: 0 });
  }
  if (hasSwappedFather(a, b, alignment.links)) cost += costs.swappedFather;
  if (a.form && b.form && !areCompatibleForms(a.form, b.form)) {
    cost += costs.form;
    reasons.push({ left: a.form, right: b.form, how: "form", weight: 1 });
  }
  return { score: Math.max(0, 1 - cost), reasons };
}

type Rest = { linked: number; weigh: WeighWord; reasons: NameReason[] };

function costOfRest(
  a: PreparedName,
  b: PreparedName,
  { leftOver, rightOver }: Alignment,
  { linked, weigh, reasons }: Rest,
): number {
  const left = openWords(a.words, leftOver, b.words, weigh);
  const right = openWords(b.words, rightOver, a.words, weigh);
  const light = countBits(leftOver) + countBits(rightOver) - left.length - right.length;
  let cost = light * costs.missingLight;
  const both = Math.min(left.length, right.length);
  for (let at = 0; at < both; at += 1) {
    const [one, other] = [left[at] as OpenWord, right[at] as OpenWord];
    cost += costs.other;
    const weight = Math.max(one.weight, other.weight);
    reasons.push({ left: one.word.text, right: other.word.text, how: "other", weight });
  }
  for (const open of [...left.slice(both), ...right.slice(both)]) {
    const { word, weight, isRepeated } = open;
    const how = isRepeated ? "repeated" : "missing";
    const isLeft = left.includes(open);
    reasons.push({ left: isLeft ? word.text : "", right: isLeft ? "" : word.text, how, weight });
    if (isRepeated) cost += costs.repeated;
    else if (linked < 2)
      cost += a.kind === "person" ? costs.missingFromOneWord : weight * costs.missingFromOneWord;
    else if (word.role === "patronymic") cost += costs.missingPatronymic;
    else cost += weight * costs.missing;
  }
  return cost;
}

type OpenWord = { word: PreparedWord; weight: number; isRepeated: boolean };

/** The words without a partner, those that say most first, and repeated ones ("Shoigu Shoigu Sergey") last. */
function openWords(
  words: readonly PreparedWord[],
  over: number,
  others: readonly PreparedWord[],
  weigh: WeighWord,
): OpenWord[] {
  if (over === 0) return [];
  return pick(words, over)
    .filter(({ role }) => role !== "light")
    .map((word) => ({
      word,
      weight: weigh(word),
      isRepeated: others.some(
        (other) => other.text === word.text || wordDistance(word, other) < 0.3,
      ),
    }))
    .sort((one, other) =>
      one.isRepeated === other.isRepeated ? other.weight - one.weight : one.isRepeated ? 1 : -1,
    );
}

function pick(words: readonly PreparedWord[], bits: number): PreparedWord[] {
  return words.filter((_, index) => (bits & (1 << index)) !== 0);
}

function show(words: readonly PreparedWord[]): string {
  return words.map(({ text }) => text).join(" ");
}

/** Letters that were compared: only consonants of words without written vowels. */
function lettersOf(words: readonly PreparedWord[]): number {
  return words.reduce(
    (sum, { text, skeleton, lacksVowels }) =>
      sum + (lacksVowels ? skeleton.length / 2 : text.length),
    0,
  );
}

function isOtherOrder(links: readonly WordLink[]): boolean {
  const sorted = [...links].sort((one, other) => one.left - other.left);
  return sorted.some(
    (link, index) => index > 0 && link.right < (sorted[index - 1] as WordLink).right,
  );
}

/** "Salman bin Muhammad" is the son of "Muhammad bin Salman". */
function hasSwappedFather(a: PreparedName, b: PreparedName, links: readonly WordLink[]): boolean {
  const partner = (bit: number) => links.find(({ left }) => left === bit)?.right;
  for (const [son, father] of sonsOf(a)) {
    const [one, other] = [partner(son), partner(father)];
    if (one === undefined || other === undefined) continue;
    if (sonsOf(b).some(([otherSon, otherFather]) => otherSon === other && otherFather === one))
      return true;
  }
  return false;
}

/** Bits of the words before and after each "bin". */
function sonsOf({ words }: PreparedName): (readonly [number, number])[] {
  return words.flatMap((word, at) =>
    word.text === "bin" && at > 0 && at + 1 < words.length
      ? [[1 << (at - 1), 1 << (at + 1)] as const]
      : [],
  );
}
