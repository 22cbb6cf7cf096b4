// The keys under which a word is found again: words that share one may differ by a typing error or sound alike.

import type { PreparedWord } from "./prepare.ts";
import { toBareSkeleton, toSkeleton, toSound } from "./sound.ts";

/** Key of a text in one of several tables. */
export function hashKey(table: string, text: string): number {
  let hash = 0x811c9dc5 ^ table.charCodeAt(0);
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}

/** The word, the word without each of its letters, and its skeleton. */
export function spellingKeys({ text, skeleton }: PreparedWord): number[] {
  const keys = [hashKey("t", text), hashKey("s", skeleton)];
  for (let at = 0; at < text.length; at += 1) {
    if (at > 0 && text[at] === text[at - 1]) continue;
    keys.push(hashKey("t", text.slice(0, at) + text.slice(at + 1)));
  }
  return keys;
}

/** For a word without written vowels, and for others that are compared with it. */
export function bareKey({ skeleton }: PreparedWord): number {
  return hashKey("b", toBareSkeleton(skeleton));
}

/** For two or three words that another name may write as one. */
export function gluedKey(text: string): number {
  return hashKey("s", toSkeleton(toSound(text)));
}
