// The distinct words of the names of a list, each with its weight: a word that many names have says less.

import type { PreparedName, PreparedWord } from "./prepare.ts";

export class Vocabulary {
  readonly words: PreparedWord[] = [];
  readonly #ids = new Map<string, number>();
  /** How many words of names sound so: Mohammed and Muhammad are counted together. */
  readonly #counts = new Map<string, number>();
  #names = 0;

  /** Counts the words of a name. */
  add({ words }: PreparedName): void {
    this.#names += 1;
    for (const word of words) {
      if (word.role === "light") continue;
      this.#counts.set(word.skeleton, (this.#counts.get(word.skeleton) ?? 0) + 1);
    }
  }

  /** The name with words that all names share, weighed by what was counted. It is smaller, and says the same. */
  share({ text, kind, words, form }: PreparedName): PreparedName {
    return { text, kind, form, words: words.map((word) => this.#shared(word)) };
  }

  /** The word with its weight here. */
  weigh(word: PreparedWord): PreparedWord {
    const weight = this.#weightOf(word);
    return weight === word.weight ? word : { ...word, weight };
  }

  /** The number of a word, if a name has it. */
  idOf(word: PreparedWord): number | undefined {
    return this.#ids.get(keyOf(word));
  }

  #shared(word: PreparedWord): PreparedWord {
    const key = keyOf(word);
    const known = this.#ids.get(key);
    if (known !== undefined) return this.words[known] as PreparedWord;
    const weighed = this.weigh(word);
    this.#ids.set(key, this.words.length);
    this.words.push(weighed);
    return weighed;
  }

  #weightOf({ role, weight, skeleton }: PreparedWord): number {
    if (role === "light" || this.#names < countedFrom) return weight;
    const share = (this.#counts.get(skeleton) ?? 0) / this.#names;
    if (share <= rareShare) return weight;
    const rarity = 1 - weightPerTenfold * Math.log10(share / rareShare);
    return Math.min(weight, Math.max(weightMin, rarity));
  }
}

/** The same letters may be a particle in one name and a word in another, or lack their vowels. */
function keyOf({ text, role, lacksVowels }: PreparedWord): string {
  if (role === "light") return `${text} `;
  return lacksVowels ? `${text}'` : text;
}

/** Shorter lists don't show which words are common. */
const countedFrom = 1_000;
/** A word of one in a thousand names says most; a word of one in ten, half of it. */
const rareShare = 0.001;
const weightPerTenfold = 0.25;
const weightMin = 0.5;
