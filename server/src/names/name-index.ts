// Finds the names of a list that match a name, without comparing it with each of them: names that share words, or words
// that sound or are spelled alike, are compared in full.

import { gluedLengthMin, initialsMax, isGlued, wordDistance } from "./align.ts";
import { countBits } from "./bits.ts";
import {
  compareNames,
  errorsMax,
  leastCost,
  lettersWanted,
  matchThreshold,
  missingWeight,
  type NameReason,
  scoreNames,
} from "./compare.ts";
import { NearWords } from "./near-words.ts";
import { type KeyedPostings, Pairs, Postings } from "./postings.ts";
import type { NameKind, PreparedName, PreparedWord } from "./prepare.ts";
import { Vocabulary } from "./vocabulary.ts";
import { gluedKey } from "./word-keys.ts";

export type FoundName<Entry> = {
  entry: Entry;
  name: PreparedName;
  score: number;
  reasons: NameReason[];
};

export type NameIndex<Entry> = {
  readonly size: number;
  /** Bytes of its tables, without the entries and names themselves. */
  readonly bytes: number;
  /** All that score at least `matchThreshold`, best first. */
  find(name: PreparedName): FoundName<Entry>[];
};

type Listed<Entry> = { entry: Entry; name: PreparedName };

/** A name finds names of its own kind only. */
export function indexNames<Entry>(names: Iterable<Listed<Entry>>): NameIndex<Entry> {
  const byKind: Record<NameKind, Listed<Entry>[]> = { person: [], organisation: [] };
  for (const listed of names) byKind[listed.name.kind].push(listed);
  const person = new KindIndex(byKind.person, "person");
  const organisation = new KindIndex(byKind.organisation, "organisation");
  return {
    size: person.size + organisation.size,
    bytes: person.bytes + organisation.bytes,
    find: (name) => (name.kind === "person" ? person : organisation).find(name),
  };
}

/** Marks a name that has two words where the name that is looked for has one. */
const gluedBit = 1 << 30;
/** Marks the letters of a word that sounds otherwise than it is written. */
const heardOtherwise = 1 << 30;
/** With more words missing than this, no name matches. */
const missingMax = 5;
/** The same, where a word has two typing errors. */
const missingWithErrorsMax = 2;
/** Names that cost more do not match. Costs are added up in another order here, so the last digits may differ. */
const costMax = 1 - matchThreshold + 1e-5;

class KindIndex<Entry> {
  readonly size: number;
  readonly bytes: number;
  readonly #kind: NameKind;
  readonly #names: readonly Listed<Entry>[];
  readonly #vocabulary: Vocabulary;
  readonly #nearWords: NearWords;
  /** Numbers of names by two of their words as one. */
  readonly #namesByGluedKey: KeyedPostings;
  readonly #namesOfWord: Postings;
  readonly #wordsOfName: Postings;
  /** Of each word, side by side in memory: its letters as bits, its length, its first letter. */
  readonly #letters: Uint32Array;
  readonly #lengths: Uint8Array;
  readonly #initials: Uint8Array;
  /** Of each word: what it says when it is found as it is, or spelled otherwise, and what it costs when it is missing. */
  readonly #evidence: Float32Array;
  readonly #evidenceOfOther: Float32Array;
  readonly #missing: Float32Array;
  /** How many words of each name are one letter. */
  readonly #singleLetters: Uint8Array;
  /** Which words of the name that is looked for were found in each name, and near each word. Zero between calls. */
  readonly #foundIn: Uint32Array;
  readonly #nearWord: Uint32Array;
  /** Typing errors of each such word, at least. */
  readonly #nearDistance: Float32Array;

  constructor(names: readonly Listed<Entry>[], kind: NameKind) {
    const vocabulary = new Vocabulary();
    for (const { name } of names) vocabulary.add(name);
    this.#names = names.map(({ entry, name }) => ({ entry, name: vocabulary.share(name) }));
    const { words } = vocabulary;
    const ofName = new Pairs();
    const glued = new Pairs();
    for (const [id, { name }] of this.#names.entries()) {
      for (const [at, word] of name.words.entries()) {
        if (word.role !== "light") ofName.add(id, vocabulary.idOf(word) as number);
        if (at > 0) glued.add(gluedKey(gluedText(name.words, at - 1, 2)), id);
      }
    }
    this.size = names.length;
    this.#kind = kind;
    this.#vocabulary = vocabulary;
    this.#nearWords = new NearWords(words);
    this.#namesByGluedKey = glued.toPostings();
    this.#namesOfWord = new Postings(words.length, ofName.values, ofName.keys);
    this.#wordsOfName = new Postings(names.length, ofName.keys, ofName.values);
    this.#letters = Uint32Array.from(words, ({ letters, sound, text }) =>
      sound === text ? letters : letters | heardOtherwise,
    );
    this.#lengths = Uint8Array.from(words, ({ text }) => Math.min(255, text.length));
    this.#initials = Uint8Array.from(words, ({ text }) => text.charCodeAt(0));
    const share = ({ text }: PreparedWord) => Math.min(1, text.length / lettersWanted);
    this.#evidence = Float32Array.from(words, (word) => word.weight * share(word));
    // Another spelling may weigh more.
    this.#evidenceOfOther = Float32Array.from(words, share);
    this.#missing = Float32Array.from(words, missingWeight);
    this.#singleLetters = Uint8Array.from(names, ({ name }) => countLetters(name.words));
    this.#foundIn = new Uint32Array(names.length);
    this.#nearWord = new Uint32Array(words.length);
    this.#nearDistance = new Float32Array(words.length);
    const tables = [this.#nearWords, this.#namesByGluedKey, this.#namesOfWord, this.#wordsOfName];
    this.bytes =
      tables.reduce((sum, table) => sum + table.bytes, 0) + 26 * words.length + 5 * names.length;
  }

  find(name: PreparedName): FoundName<Entry>[] {
    const weighed = { ...name, words: name.words.map((word) => this.#vocabulary.weigh(word)) };
    const words = weighed.words.filter(({ role }) => role !== "light");
    const nearWords = this.#markNearWords(weighed, words);
    const touched = this.#touchNames(words, nearWords);
    const found: FoundName<Entry>[] = [];
    const letters = countLetters(words);
    for (const id of touched) {
      if (!this.#isCandidate(id, words, letters)) continue;
      const { entry, name: listed } = this.#names[id] as Listed<Entry>;
      if (scoreNames(weighed, listed) < matchThreshold) continue;
      found.push({ entry, name: listed, ...compareNames(weighed, listed) });
    }
    for (const id of touched) this.#foundIn[id] = 0;
    for (const word of nearWords) this.#nearWord[word] = 0;
    return found.sort((one, other) => other.score - one.score);
  }

  /** Marks each word of the list with the words of the name that it may stand for. */
  #markNearWords(name: PreparedName, words: readonly PreparedWord[]): number[] {
    const near = this.#nearWord;
    const marked: number[] = [];
    let bits = 0;
    const mark = (word: number, distance: number) => {
      const before = near[word] as number;
      if (before === 0) marked.push(word);
      const isNearer = before === 0 || distance < (this.#nearDistance[word] as number);
      if (isNearer) this.#nearDistance[word] = distance;
      near[word] = before | bits;
    };
    for (const [at, sought] of words.entries()) {
      bits = 1 << at;
      const found = this.#nearWords.find(sought);
      for (let index = 0; index < found.words.length; index += 1) {
        mark(found.words[index] as number, found.distances[index] as number);
      }
    }
    for (let count = 2; count <= 3; count += 1) {
      for (let start = 0; start + count <= name.words.length; start += 1) {
        bits = 0;
        for (let at = start; at < start + count; at += 1) {
          const index = words.indexOf(name.words[at] as PreparedWord);
          if (index >= 0) bits |= 1 << index;
        }
        if (bits === 0) continue;
        const text = gluedText(name.words, start, count);
        if (text.length < gluedLengthMin) continue;
        this.#nearWords.forEachGlued(text, (word) => mark(word, 0));
      }
    }
    return marked;
  }

  /** Marks each name with the words that were found in it. */
  #touchNames(words: readonly PreparedWord[], nearWords: readonly number[]): number[] {
    const foundIn = this.#foundIn;
    const touched: number[] = [];
    const { starts, values } = this.#namesOfWord;
    for (const word of nearWords) {
      const bits = this.#nearWord[word] as number;
      const end = starts[word + 1] as number;
      for (let at = starts[word] as number; at < end; at += 1) {
        const id = values[at] as number;
        const before = foundIn[id] as number;
        if (before === 0) touched.push(id);
        foundIn[id] = before | bits;
      }
    }
    for (const [at, { text }] of words.entries()) {
      if (text.length < gluedLengthMin) continue;
      this.#namesByGluedKey.forEach(gluedKey(text), (id) => {
        if (!hasGlued((this.#names[id] as Listed<Entry>).name.words, text)) return;
        const before = foundIn[id] as number;
        if (before === 0) touched.push(id);
        foundIn[id] = before | (1 << at) | gluedBit;
      });
    }
    return touched;
  }

  /** Whether enough words were found that the names can match. */
  #isCandidate(id: number, words: readonly PreparedWord[], letters: number): boolean {
    const marks = this.#foundIn[id] as number;
    if ((marks & gluedBit) !== 0) return true;
    const found = countBits(marks);
    const { starts, values } = this.#wordsOfName;
    const start = starts[id] as number;
    const end = starts[id + 1] as number;
    const listed = end - start;
    const fewer = Math.min(words.length, listed);
    const more = Math.max(words.length, listed);
    const initials = letters + (this.#singleLetters[id] as number);
    if (found < fewer - 1 - initials || more - found > missingMax) return false;
    // One word of a person's name in a longer one is no match.
    if (fewer === 1 && more > 1 && found < 2 && this.#kind === "person") return false;
    // As many as are missing if one more word finds a partner.
    const missing = more - found - 1;
    if (found < fewer && initials === 0 && missing > missingWithErrorsMax + 1) return false;
    let open = 0;
    let openWeight = 0;
    let evidence = 0;
    for (let at = start; at < end; at += 1) {
      const word = values[at] as number;
      if (this.#nearWord[word] === 0) {
        open += 1;
        openWeight += this.#missing[word] as number;
        continue;
      }
      const isSame = this.#nearDistance[word] === 0;
      evidence += (isSame ? this.#evidence : this.#evidenceOfOther)[word] as number;
    }
    const sought = words.length - found;
    const pairs = Math.min(sought, open);
    if (pairs > 1 + initials) return false;
    let soughtWeight = 0;
    for (let index = 0; index < words.length; index += 1) {
      if ((marks & (1 << index)) === 0) soughtWeight += missingWeight(words[index] as PreparedWord);
    }
    const least = {
      errors: this.#leastErrors(start, end, marks),
      missing: Math.max(0, (open > sought ? openWeight : soughtWeight) - pairs),
      evidence: evidence + pairs,
    };
    const rest = costMax - leastCost(this.#kind, least);
    if (rest < 0) return false;
    if (pairs <= initials) return true;
    const errors = (rest / (1 - matchThreshold)) * errorsMax;
    return this.#hasLink(start, end, { words, marks, missing, errors });
  }

  /** Typing errors of the words that were found, with the best partner of each. */
  #leastErrors(start: number, end: number, marks: number): number {
    let errors = 0;
    for (let left = marks; left !== 0; left &= left - 1) {
      const bit = left & -left;
      let least = errorsMax;
      for (let at = start; at < end; at += 1) {
        const word = this.#wordsOfName.values[at] as number;
        const isNear = ((this.#nearWord[word] as number) & bit) !== 0;
        if (isNear) least = Math.min(least, this.#nearDistance[word] as number);
      }
      errors += least;
    }
    return errors;
  }

  /** Whether a word that was not found may stand for a word of the name, with at most so many typing errors. */
  #hasLink(start: number, end: number, link: Link & { words: readonly PreparedWord[] }): boolean {
    const { words, marks } = link;
    for (let index = 0; index < words.length; index += 1) {
      if ((marks & (1 << index)) !== 0) continue;
      for (let at = start; at < end; at += 1) {
        const listed = this.#wordsOfName.values[at] as number;
        if (this.#mayStandFor(listed, words[index] as PreparedWord, link)) return true;
      }
    }
    return false;
  }

  /** By typing errors, or as an initial or initials of several words, which costs as much as one error. */
  #mayStandFor(listed: number, word: PreparedWord, { missing, errors }: Link): boolean {
    const length = this.#lengths[listed] as number;
    const letters = Math.min(length, word.text.length);
    if (errors >= 1 && letters <= initialsMax && letters <= missing + 1) {
      if (this.#initials[listed] === word.text.charCodeAt(0)) return true;
    }
    if (missing > missingWithErrorsMax) return false;
    const bits = this.#letters[listed] as number;
    const isWrittenAsHeard = (bits & heardOtherwise) === 0 && word.sound === word.text;
    // An error costs at least half, and makes a word one letter longer or changes two.
    const most = isWrittenAsHeard ? Math.floor(2 * errors) : 4;
    if (Math.abs(length - word.text.length) > most) return false;
    if (countBits((bits & ~heardOtherwise) ^ word.letters) > 4) return false;
    return wordDistance(this.#vocabulary.words[listed] as PreparedWord, word) <= errors;
  }
}

/** What a link may cost in a name that misses so many words. */
type Link = { marks: number; missing: number; errors: number };

function countLetters(words: readonly PreparedWord[]): number {
  return words.reduce((count, { text }) => count + (text.length === 1 ? 1 : 0), 0);
}

/** Whether two neighbours as one are the word. */
function hasGlued(words: readonly PreparedWord[], text: string): boolean {
  for (let at = 1; at < words.length; at += 1) {
    const [one, other] = [words[at - 1] as PreparedWord, words[at] as PreparedWord];
    const isNear = Math.abs(one.text.length + other.text.length - text.length) <= 1;
    if (isNear && isGlued(one.text + other.text, text)) return true;
  }
  return false;
}

function gluedText(words: readonly PreparedWord[], start: number, count: number): string {
  let text = "";
  for (let at = start; at < start + count; at += 1) text += (words[at] as PreparedWord).text;
  return text;
}
