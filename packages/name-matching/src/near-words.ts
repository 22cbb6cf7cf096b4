// Finds the words of a list that another word may stand for: spelled with a typing error, or sounding alike.

import { isGlued, wordDistance } from "./align.ts";
import { errorsMax } from "./compare.ts";
import { type KeyedPostings, Pairs } from "./postings.ts";
import type { PreparedWord } from "./prepare.ts";
import { bareKey, gluedKey, otherBareKey, spellingKeys } from "./word-keys.ts";

/** Numbers of words, and the typing errors of each. */
type Near = { readonly words: Uint32Array; readonly distances: Float32Array };

const nothing: Near = { words: new Uint32Array(), distances: new Float32Array() };

/** Most people share their names with others, so what was found for the last words is kept: at least for this many. */
const keptMin = 20_000;

export class NearWords {
  readonly #words: readonly PreparedWord[];
  readonly #byKey: KeyedPostings;
  /** By the skeleton of words without vowels. */
  readonly #byBareKey: KeyedPostings;
  readonly #hasBare: boolean;
  /** Whether there is a word of each length. */
  readonly #hasLength: boolean[] = [];
  #kept = new Map<string, Near>();
  /** Those that were kept before `#kept` was full. */
  #keptBefore = new Map<string, Near>();

  constructor(words: readonly PreparedWord[]) {
    const spelling = new Pairs();
    const bare = new Pairs();
    for (const [id, word] of words.entries()) {
      if (word.role === "light") continue;
      for (const key of new Set(spellingKeys(word))) spelling.add(key, id);
      bare.add(bareKey(word), id);
      this.#hasLength[word.text.length] = true;
    }
    this.#words = words;
    this.#byKey = spelling.toPostings();
    this.#byBareKey = bare.toPostings();
    this.#hasBare = words.some(({ lacksVowels }) => lacksVowels);
  }

  get bytes(): number {
    return this.#byKey.bytes + this.#byBareKey.bytes;
  }

  find(sought: PreparedWord): Near {
    const name = sought.lacksVowels ? `${sought.text}'` : sought.text;
    const known = this.#kept.get(name);
    if (known) return known;
    const near = this.#keptBefore.get(name) ?? this.#search(sought);
    if (this.#kept.size >= keptMin) {
      this.#keptBefore = this.#kept;
      this.#kept = new Map();
    }
    this.#kept.set(name, near);
    return near;
  }

  /** Calls `visit` for each word that is `text`, several words as one. */
  forEachGlued(text: string, visit: (word: number) => void): void {
    const { length } = text;
    const has = this.#hasLength;
    if (!has[length - 1] && !has[length] && !has[length + 1]) return;
    this.#byKey.forEach(gluedKey(text), (word) => {
      if (isGlued(text, (this.#words[word] as PreparedWord).text)) visit(word);
    });
  }

  #search(sought: PreparedWord): Near {
    const words: number[] = [];
    const distances: number[] = [];
    const visit = (word: number) => {
      if (words.includes(word)) return;
      const distance = wordDistance(this.#words[word] as PreparedWord, sought);
      if (distance > errorsMax) return;
      words.push(word);
      distances.push(distance);
    };
    for (const key of spellingKeys(sought)) this.#byKey.forEach(key, visit);
    if (this.#hasBare || sought.lacksVowels) {
      this.#byBareKey.forEach(otherBareKey(sought), visit);
    }
    if (words.length === 0) return nothing;
    return { words: Uint32Array.from(words), distances: Float32Array.from(distances) };
  }
}
