// Finds the names of a list that match a name, without comparing it with each of them: names that share words, or words
// that sound or are spelled alike, are compared in full.

import { gluedLengthMin, isGlued } from "./align.ts";
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
import {
  countLetters,
  foundMask,
  gluedMark,
  lettersShift,
  nearMask,
  nearShift,
  rowCells,
  toRows,
  wordsMask,
} from "./name-rows.ts";
import { NearWords } from "./near-words.ts";
import { type KeyedPostings, Pairs, Postings } from "./postings.ts";
import type { NameKind, PreparedName, PreparedWord } from "./prepare.ts";
import { Vocabulary } from "./vocabulary.ts";
import { gluedKey, gluedKeyOf } from "./word-keys.ts";
import { missingWithErrorsMax, type SoughtWord, toSoughtWord, WordLinks } from "./word-links.ts";

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

/** With more words missing than this, no name matches. */
const missingMax = 5;
/** Names that cost more do not match. Costs are added up in another order here, so the last digits may differ. */
const costMax = 1 - matchThreshold + 1e-5;

/** The name that is looked for: its words, what each costs when it is missing, and how many are one letter. */
type SoughtName = {
  readonly words: readonly SoughtWord[];
  readonly missing: readonly number[];
  readonly letters: number;
};

class KindIndex<Entry> {
  readonly size: number;
  readonly bytes: number;
  readonly #kind: NameKind;
  readonly #names: readonly Listed<Entry>[];
  readonly #vocabulary: Vocabulary;
  readonly #nearWords: NearWords;
  readonly #links: WordLinks;
  /** The rows of names. */
  readonly #cells: Int32Array;
  readonly #rowsOfWord: Postings;
  /** By two words of a name as one. */
  readonly #rowsByGluedKey: KeyedPostings;
  /** Of each word: what it says when it is found as it is, or spelled otherwise, and what it costs when it is missing. */
  readonly #evidence: Float32Array;
  readonly #evidenceOfOther: Float32Array;
  readonly #missing: Float32Array;
  /** Which words of the name that is looked for are near each word. Zero between calls. */
  readonly #nearWord: Uint32Array;
  /** Typing errors of each such word, at least. */
  readonly #nearDistance: Float32Array;
  /** Rows of the names that a word was found in, during a call. */
  readonly #touched: Uint32Array;

  constructor(names: readonly Listed<Entry>[], kind: NameKind) {
    const vocabulary = new Vocabulary();
    for (const { name } of names) vocabulary.add(name);
    this.#names = names.map(({ entry, name }) => ({ entry, name: vocabulary.share(name) }));
    const { words } = vocabulary;
    const { cells, starts } = toRows(
      this.#names.map(({ name }) => name),
      vocabulary,
    );
    const ofWord = new Pairs();
    const glued = new Pairs();
    for (const [id, { name }] of this.#names.entries()) {
      const row = starts[id] as number;
      for (const [at, word] of name.words.entries()) {
        if (word.role !== "light") ofWord.add(vocabulary.idOf(word) as number, row);
        if (at > 0) glued.add(gluedKey(gluedText(name.words, at - 1, 2)), row);
      }
    }
    this.size = names.length;
    this.#kind = kind;
    this.#vocabulary = vocabulary;
    this.#nearWords = new NearWords(words);
    this.#links = new WordLinks(words, cells);
    this.#cells = cells;
    this.#rowsOfWord = new Postings(words.length, ofWord.keys, ofWord.values);
    this.#rowsByGluedKey = glued.toPostings();
    const share = ({ text }: PreparedWord) => Math.min(1, text.length / lettersWanted);
    this.#evidence = Float32Array.from(words, (word) => word.weight * share(word));
    // Another spelling may weigh more.
    this.#evidenceOfOther = Float32Array.from(words, share);
    this.#missing = Float32Array.from(words, missingWeight);
    this.#nearWord = new Uint32Array(words.length);
    this.#nearDistance = new Float32Array(words.length);
    this.#touched = new Uint32Array(names.length);
    const tables = [this.#nearWords, this.#links, this.#rowsOfWord, this.#rowsByGluedKey];
    this.bytes =
      tables.reduce((sum, table) => sum + table.bytes, cells.byteLength) +
      20 * words.length +
      4 * names.length;
  }

  find(name: PreparedName): FoundName<Entry>[] {
    const weighed = { ...name, words: name.words.map((word) => this.#vocabulary.weigh(word)) };
    const words = weighed.words.filter(({ role }) => role !== "light");
    const nearWords = this.#markNearWords(weighed, words);
    const touched = this.#touchNames(words, nearWords);
    const candidates = this.#keepCandidates(touched, words);
    const found: FoundName<Entry>[] = [];
    for (let at = 0; at < candidates; at += 1) {
      const { entry, name: listed } = this.#nameOf(this.#touched[at] as number);
      if (scoreNames(weighed, listed) < matchThreshold) continue;
      found.push({ entry, name: listed, ...compareNames(weighed, listed) });
    }
    for (const word of nearWords) this.#nearWord[word] = 0;
    return found.sort((one, other) => other.score - one.score);
  }

  #nameOf(row: number): Listed<Entry> {
    return this.#names[this.#cells[row + rowCells.name] as number] as Listed<Entry>;
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

  /** Marks each name with the words that were found in it. Returns how many there are in `#touched`. */
  #touchNames(words: readonly PreparedWord[], nearWords: readonly number[]): number {
    const cells = this.#cells;
    const touched = this.#touched;
    const { starts, values } = this.#rowsOfWord;
    let count = 0;
    for (const word of nearWords) {
      const bits = this.#nearWord[word] as number;
      const end = starts[word + 1] as number;
      for (let at = starts[word] as number; at < end; at += 1) {
        const row = values[at] as number;
        const before = cells[row] as number;
        if (before === 0) touched[count++] = row;
        cells[row] = (before | bits) + (1 << nearShift);
      }
    }
    for (const [at, word] of words.entries()) {
      if (word.text.length < gluedLengthMin) continue;
      this.#rowsByGluedKey.forEach(gluedKeyOf(word), (row) => {
        if (!hasGlued(this.#nameOf(row).name.words, word.text)) return;
        const before = cells[row] as number;
        if (before === 0) touched[count++] = row;
        cells[row] = before | (1 << at) | gluedMark;
      });
    }
    return count;
  }

  /** Keeps those of `#touched` that may match, and removes the marks of all. Returns how many there are. */
  #keepCandidates(touched: number, words: readonly PreparedWord[]): number {
    const cells = this.#cells;
    const rows = this.#touched;
    const sought: SoughtName = {
      words: words.map(toSoughtWord),
      missing: words.map(missingWeight),
      letters: countLetters(words),
    };
    let kept = 0;
    for (let at = 0; at < touched; at += 1) {
      const row = rows[at] as number;
      const marks = cells[row] as number;
      cells[row] = 0;
      const isGluedName = (marks & gluedMark) !== 0;
      if (isGluedName || this.#isCandidate(row, marks, sought)) rows[kept++] = row;
    }
    return kept;
  }

  /** Whether enough words were found that the names can match. */
  #isCandidate(row: number, marks: number, sought: SoughtName): boolean {
    const found = countBits(marks & foundMask);
    const shape = this.#cells[row + rowCells.shape] as number;
    const length = sought.words.length;
    const listed = shape & wordsMask;
    const fewer = length < listed ? length : listed;
    const more = length < listed ? listed : length;
    const initials = sought.letters + (shape >>> lettersShift);
    if (found < fewer - 1 - initials || more - found > missingMax) return false;
    // One word of a person's name in a longer one is no match.
    if (fewer === 1 && more > 1 && found < 2 && this.#kind === "person") return false;
    // As many as are missing if one more word finds a partner.
    const missing = more - found - 1;
    if (found < fewer && initials === 0 && missing > missingWithErrorsMax + 1) return false;
    const left = length - found;
    const open = listed - ((marks >>> nearShift) & nearMask);
    const pairs = left < open ? left : open;
    if (pairs > 1 + initials) return false;
    const isLinked = pairs <= initials;
    if (!isLinked && !this.#links.mayHaveLink(row, sought.words, marks, missing)) return false;
    const errors = this.#errorsLeft(row, marks, sought);
    if (errors < 0) return false;
    return isLinked || this.#links.hasLink(row, sought.words, marks, missing, errors);
  }

  /** How many typing errors the names may have besides those of the words that were found. Negative: they can't match. */
  #errorsLeft(row: number, marks: number, sought: SoughtName): number {
    const cells = this.#cells;
    const listed = (cells[row + rowCells.shape] as number) & wordsMask;
    const start = row + rowCells.words + listed;
    const end = start + listed;
    let open = 0;
    let openWeight = 0;
    let evidence = 0;
    let distance = 0;
    for (let at = start; at < end; at += 1) {
      const word = cells[at] as number;
      if (this.#nearWord[word] === 0) {
        open += 1;
        openWeight += this.#missing[word] as number;
        continue;
      }
      const errors = this.#nearDistance[word] as number;
      distance += errors;
      evidence += (errors === 0 ? this.#evidence : this.#evidenceOfOther)[word] as number;
    }
    let left = 0;
    let leftWeight = 0;
    for (let index = 0; index < sought.words.length; index += 1) {
      if ((marks & (1 << index)) !== 0) continue;
      left += 1;
      leftWeight += sought.missing[index] as number;
    }
    const pairs = left < open ? left : open;
    const errors = distance === 0 ? 0 : this.#leastErrors(start, end, marks & foundMask);
    const missing = Math.max(0, (open > left ? openWeight : leftWeight) - pairs);
    const rest = costMax - leastCost(this.#kind, errors, missing, evidence + pairs);
    return (rest / (1 - matchThreshold)) * errorsMax;
  }

  /** Typing errors of the words that were found, with the best partner of each. */
  #leastErrors(start: number, end: number, marks: number): number {
    let errors = 0;
    for (let left = marks; left !== 0; left &= left - 1) {
      const bit = left & -left;
      let least = errorsMax;
      for (let at = start; at < end; at += 1) {
        const word = this.#cells[at] as number;
        const isNear = ((this.#nearWord[word] as number) & bit) !== 0;
        if (isNear) least = Math.min(least, this.#nearDistance[word] as number);
      }
      errors += least;
    }
    return errors;
  }
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
