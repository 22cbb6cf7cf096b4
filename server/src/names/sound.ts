// How a word sounds, roughly: letters that languages write for one sound become one letter, and the skeleton keeps the
// consonants only.

/** Letter groups that stand for one sound, longest first. Capital letters are sounds that one letter can't write. */
const groups: readonly (readonly [RegExp, string])[] = [
  [/tsch|shch|sch/g, "S"],
  [/dzh|dj/g, "j"],
  [/^x|^hs|sh|zh/g, "S"],
  [/ph/g, "f"],
  [/gh|q/g, "g"],
  [/chr/g, "kr"],
  [/tch|ch/g, "C"],
  [/kh/g, "h"],
  [/th/g, "t"],
  [/dh/g, "d"],
  [/ck|cq/g, "k"],
  [/c(?=[eiy])/g, "s"],
  [/c/g, "k"],
  [/x/g, "ks"],
  [/w/g, "v"],
  [/(?<=[aeiou])y(?=[aeiou])/g, "j"],
];

/** The word with one letter for each sound, without doubled letters. */
export function toSound(word: string): string {
  let sound = word;
  for (const [letters, symbol] of groups) sound = sound.replace(letters, symbol);
  return sound.replaceAll(/(.)\1+/g, "$1");
}

/** The consonants of the sound; sounds that are often confused are one. A vowel is kept at the start only. */
export function toSkeleton(sound: string): string {
  const first = /^[aeiouy]/.test(sound) ? "a" : "";
  const rest = sound
    .replaceAll(/[aeiouy]/g, "")
    .replaceAll(/(?<=.)h/g, "")
    .replaceAll(/[SzC]/g, "s")
    .replaceAll("j", "s")
    .replaceAll("g", "k");
  return (first + rest).replaceAll(/(.)\1+/g, "$1");
}

/** For words without written vowels: also without the letters that stand for vowels in such scripts. */
export function toBareSkeleton(skeleton: string): string {
  const bare = skeleton.replaceAll(/[avwyh]/g, "");
  return bare === "" ? skeleton : bare;
}
