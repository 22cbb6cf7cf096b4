// Finds the names of a list that match a name, without comparing it with each of them: names that share words, or words
// that sound or are spelled alike, are compared in full.

import { gluedLengthMin } from "./align.ts";
import { countBits } from "./bits.ts";
import { compareNames, matchThreshold, type NameReason, scoreNames } from "./compare.ts";
import { KeyedPostings, Postings } from "./postings.ts";
import type { NameKind, PreparedName, PreparedWord } from "./prepare.ts";
import { Vocabulary } from "./vocabulary.ts";
import { bareKey, gluedKey, gluedKeys, otherBareKey, spellingKeys } from "./word-keys.ts";

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
/** With more words missing than this, no name matches. */
const missingMax = 5;

class KindIndex<Entry> {
  readonly size: number;
  readonly bytes: number;
  readonly #kind: NameKind;
  readonly #names: readonly Listed<Entry>[];
  readonly #vocabulary: Vocabulary;
  /** Word ids by key, by the skeleton of words without vowels, and name ids by two words as one. */
  readonly #wordsByKey: KeyedPostings;
  readonly #wordsByBareKey: KeyedPostings;
  readonly #namesByGluedKey: KeyedPostings;
  readonly #namesOfWord: Postings;
  readonly #wordsOfName: Postings;
  /** Of each word: its letters as bits, its length and its first letter. */
  readonly #letters: Uint32Array;
  readonly #lengths: Uint8Array;
  readonly #initials: Uint8Array;
  /** How many words of each name are one letter. */
  readonly #singleLetters: Uint8Array;
  /** Which words of the name that is looked for were found in each name, and near each word. Zero between calls. */
  readonly #foundIn: Uint32Array;
  readonly #nearWord: Uint32Array;

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
    const spelling = new Pairs();
    const bare = new Pairs();
    for (const [id, word] of words.entries()) {
      if (word.role === "light") continue;
      for (const key of new Set(spellingKeys(word))) spelling.add(key, id);
      bare.add(bareKey(word), id);
    }
    this.size = names.length;
    this.#kind = kind;
    this.#vocabulary = vocabulary;
    this.#wordsByKey = spelling.toPostings();
    this.#wordsByBareKey = bare.toPostings();
    this.#namesByGluedKey = glued.toPostings();
    this.#namesOfWord = new Postings(words.length, ofName.values, ofName.keys);
    this.#wordsOfName = new Postings(names.length, ofName.keys, ofName.values);
    this.#letters = Uint32Array.from(words, ({ letters }) => letters);
    this.#lengths = Uint8Array.from(words, ({ text }) => Math.min(255, text.length));
    this.#initials = Uint8Array.from(words, ({ text }) => text.charCodeAt(0));
    this.#singleLetters = Uint8Array.from(names, ({ name }) => countLetters(name.words));
    this.#foundIn = new Uint32Array(names.length);
    this.#nearWord = new Uint32Array(words.length);
    const keyed = [this.#wordsByKey, this.#wordsByBareKey, this.#namesByGluedKey];
    const tables = [...keyed, this.#namesOfWord, this.#wordsOfName];
    this.bytes =
      tables.reduce((sum, table) => sum + table.bytes, 0) + 10 * words.length + 5 * names.length;
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
    const mark = (word: number) => {
      const before = near[word] as number;
      if (before === 0) marked.push(word);
      near[word] = before | bits;
    };
    for (const [at, word] of words.entries()) {
      bits = 1 << at;
      for (const key of spellingKeys(word)) this.#wordsByKey.forEach(key, mark);
      this.#wordsByBareKey.forEach(otherBareKey(word), mark);
    }
    for (let count = 2; count <= 3; count += 1) {
      for (let start = 0; start + count <= name.words.length; start += 1) {
        bits = 0;
        for (let at = start; at < start + count; at += 1) {
          const index = words.indexOf(name.words[at] as PreparedWord);
          if (index >= 0) bits |= 1 << index;
        }
        if (bits === 0) continue;
        const keys = gluedKeys(gluedText(name.words, start, count));
        for (const key of keys) this.#wordsByKey.forEach(key, mark);
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
    let open = 0;
    let mayLink = false;
    for (let at = start; at < end; at += 1) {
      const word = values[at] as number;
      if (this.#nearWord[word] !== 0) continue;
      open += 1;
      for (let index = 0; index < words.length && !mayLink; index += 1) {
        if ((marks & (1 << index)) !== 0) continue;
        mayLink = this.#mayStandFor(word, words[index] as PreparedWord);
      }
    }
    return Math.min(words.length - found, open) <= (mayLink ? 1 : 0) + initials;
  }

  /** By a second typing error, or as an initial. */
  #mayStandFor(listed: number, { text, letters }: PreparedWord): boolean {
    const length = this.#lengths[listed] as number;
    if (Math.min(length, text.length) <= 4 && this.#initials[listed] === text.charCodeAt(0)) {
      return true;
    }
    if (Math.abs(length - text.length) > 3) return false;
    return countBits((this.#letters[listed] as number) ^ letters) <= 4;
  }
}

/** Pairs of a key and a value, one after the other. */
class Pairs {
  readonly keys: number[] = [];
  readonly values: number[] = [];

  add(key: number, value: number): void {
    this.keys.push(key);
    this.values.push(value);
  }

  toPostings(): KeyedPostings {
    return new KeyedPostings(this.keys, this.values);
  }
}

function countLetters(words: readonly PreparedWord[]): number {
  return words.reduce((count, { text }) => count + (text.length === 1 ? 1 : 0), 0);
}

function gluedText(words: readonly PreparedWord[], start: number, count: number): string {
  let text = "";
  for (let at = start; at < start + count; at += 1) text += (words[at] as PreparedWord).text;
  return text;
}
