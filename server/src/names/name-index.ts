// Finds the names of a list that match a name, without comparing it with each of them.

import { countBits } from "./bits.ts";
import { compareNames, matchThreshold, type NameReason, type WeighWord } from "./compare.ts";
import { KeyedPostings, Postings } from "./postings.ts";
import type { NameKind, PreparedName, PreparedWord } from "./prepare.ts";
import { bareKey, gluedKey, spellingKeys } from "./word-keys.ts";

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
  const person = new KindIndex(byKind.person);
  const organisation = new KindIndex(byKind.organisation);
  return {
    size: person.size + organisation.size,
    bytes: person.bytes + organisation.bytes,
    find: (name) => (name.kind === "person" ? person : organisation).find(name),
  };
}

class KindIndex<Entry> {
  readonly size: number;
  readonly bytes: number;
  readonly #names: readonly Listed<Entry>[];
  /** Word ids by key, by the skeleton of words without vowels, and name ids by two words as one. */
  readonly #wordsByKey: KeyedPostings;
  readonly #wordsByBareKey: KeyedPostings;
  readonly #namesByGluedKey: KeyedPostings;
  readonly #namesOfWord: Postings;
  readonly #wordsOfName: Postings;
  readonly #letters: Uint32Array;
  readonly #lengths: Uint8Array;
  readonly #weigh: WeighWord;
  /** Which words of the name that is looked for were found in each name, and near each word. Zero between calls. */
  readonly #foundIn: Uint32Array;
  readonly #nearWord: Uint32Array;

  constructor(names: readonly Listed<Entry>[]) {
    const vocabulary = new Vocabulary();
    const glued = new Pairs();
    for (const [id, { name }] of names.entries()) {
      vocabulary.add(id, name);
      for (let at = 0; at + 1 < name.words.length; at += 1) {
        glued.add(gluedKey(gluedText(name.words, at, 2)), id);
      }
    }
    this.size = names.length;
    this.#names = names;
    const { words, spelling, bare, ofName } = vocabulary;
    this.#wordsByKey = spelling.toPostings();
    this.#wordsByBareKey = bare.toPostings();
    this.#namesByGluedKey = glued.toPostings();
    this.#namesOfWord = new Postings(words.length, ofName.values, ofName.keys);
    this.#wordsOfName = new Postings(names.length, ofName.keys, ofName.values);
    this.#letters = Uint32Array.from(words, ({ letters }) => letters);
    this.#lengths = Uint8Array.from(words, ({ text }) => Math.min(255, text.length));
    this.#weigh = ({ weight }) => weight;
    this.#foundIn = new Uint32Array(names.length);
    this.#nearWord = new Uint32Array(words.length);
    this.bytes =
      this.#wordsByKey.bytes +
      this.#wordsByBareKey.bytes +
      this.#namesByGluedKey.bytes +
      this.#namesOfWord.bytes +
      this.#wordsOfName.bytes +
      4 * (this.#letters.length + this.#foundIn.length + this.#nearWord.length) +
      this.#lengths.length;
  }

  find(name: PreparedName): FoundName<Entry>[] {
    const words = name.words.filter(({ role }) => role !== "light");
    const nearWords: number[] = [];
    const touched: number[] = [];
    this.#markNear(name, words, nearWords);
    for (const word of nearWords) {
      const bits = this.#nearWord[word] as number;
      for (const id of this.#namesOfWord.of(word)) this.#touch(id, bits, touched);
    }
    for (const [at, word] of words.entries()) {
      if (word.text.length < 5) continue;
      this.#namesByGluedKey.forEach(gluedKey(word.text), (id) => this.#touch(id, 1 << at, touched));
    }
    const found: FoundName<Entry>[] = [];
    for (const id of touched) {
      if (!this.#isCandidate(id, words)) continue;
      const { entry, name: listed } = this.#names[id] as Listed<Entry>;
      const { score, reasons } = compareNames(name, listed, this.#weigh);
      if (score >= matchThreshold) found.push({ entry, name: listed, score, reasons });
    }
    for (const id of touched) this.#foundIn[id] = 0;
    for (const word of nearWords) this.#nearWord[word] = 0;
    return found.sort((one, other) => other.score - one.score);
  }

  #touch(id: number, bits: number, touched: number[]): void {
    const before = this.#foundIn[id] as number;
    if (before === 0) touched.push(id);
    this.#foundIn[id] = before | bits;
  }

  /** Marks each word of the list with the words of the name that it may stand for. */
  #markNear(name: PreparedName, words: readonly PreparedWord[], nearWords: number[]): void {
    const mark = (bits: number) => (word: number) => {
      const before = this.#nearWord[word] as number;
      if (before === 0) nearWords.push(word);
      this.#nearWord[word] = before | bits;
    };
    for (const [at, word] of words.entries()) {
      const visit = mark(1 << at);
      for (const key of spellingKeys(word)) this.#wordsByKey.forEach(key, visit);
      this.#wordsByBareKey.forEach(bareKey(word), visit);
    }
    for (let count = 2; count <= 3; count += 1) {
      for (let start = 0; start + count <= name.words.length; start += 1) {
        let bits = 0;
        for (const word of name.words.slice(start, start + count)) {
          const at = words.indexOf(word);
          if (at >= 0) bits |= 1 << at;
        }
        if (bits !== 0)
          this.#wordsByKey.forEach(gluedKey(gluedText(name.words, start, count)), mark(bits));
      }
    }
  }

  /** Whether so few words are without a partner that comparing is worth it. */
  #isCandidate(id: number, words: readonly PreparedWord[]): boolean {
    const found = this.#foundIn[id] as number;
    const listed = this.#wordsOfName.of(id);
    const fewer = Math.min(words.length, listed.length);
    if (countBits(found) < fewer - 1) return false;
    for (const word of listed) {
      if (this.#nearWord[word] !== 0) continue;
      for (let at = 0; at < words.length; at += 1) {
        if ((found & (1 << at)) !== 0) continue;
        if (this.#mayStandFor(word, words[at] as PreparedWord)) return true;
      }
    }
    return countBits(found) >= fewer;
  }

  /** By a second typing error, or as an initial. */
  #mayStandFor(listed: number, { text, letters }: PreparedWord): boolean {
    const length = this.#lengths[listed] as number;
    const bits = this.#letters[listed] as number;
    if (Math.min(length, text.length) <= 3 && countBits(bits & letters) > 0) return true;
    if (Math.abs(length - text.length) > 3) return false;
    return countBits(bits ^ letters) <= 4;
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

/** The distinct words of the names, numbered. */
class Vocabulary {
  readonly words: PreparedWord[] = [];
  readonly spelling = new Pairs();
  readonly bare = new Pairs();
  /** Name ids with their word ids. */
  readonly ofName = new Pairs();
  readonly #ids = new Map<string, number>();

  add(nameId: number, { words }: PreparedName): void {
    for (const word of words) if (word.role !== "light") this.ofName.add(nameId, this.#idOf(word));
  }

  #idOf(word: PreparedWord): number {
    const known = this.#ids.get(word.text);
    if (known !== undefined) return known;
    const id = this.words.length;
    this.words.push(word);
    this.#ids.set(word.text, id);
    for (const key of new Set(spellingKeys(word))) this.spelling.add(key, id);
    this.bare.add(bareKey(word), id);
    return id;
  }
}

function gluedText(words: readonly PreparedWord[], start: number, count: number): string {
  let text = "";
  for (let at = start; at < start + count; at += 1) text += (words[at] as PreparedWord).text;
  return text;
}
