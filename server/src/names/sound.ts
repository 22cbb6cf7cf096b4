// How a word sounds, roughly: letters that languages write for one sound become one letter, and the skeleton keeps the
// consonants only.

/** Letter groups that stand for one sound, longest first. Capital letters are sounds that one letter can't write. */
const groups: Readonly<Record<string, readonly (readonly [letters: string, sound: string])[]>> = {
  c: [
    ["chr", "kr"],
    ["ch", "C"],
    ["ck", "k"],
    ["cq", "k"],
    ["ce", "se"],
    ["ci", "si"],
    ["cy", "sy"],
    ["c", "k"],
  ],
  d: [
    ["dzh", "j"],
    ["dj", "j"],
    ["dh", "d"],
  ],
  g: [["gh", "g"]],
  k: [["kh", "h"]],
  p: [["ph", "f"]],
  q: [["q", "g"]],
  s: [
    ["shch", "S"],
    ["sch", "S"],
    ["sh", "S"],
  ],
  t: [
    ["tsch", "S"],
    ["tch", "C"],
    ["th", "t"],
  ],
  w: [["w", "v"]],
  x: [["x", "ks"]],
  z: [["zh", "S"]],
};

/** The word with one letter for each sound, without doubled letters. */
export function toSound(word: string): string {
  let sound = "";
  let at = 0;
  // As in Xi and Hsi.
  if (word.startsWith("x") || word.startsWith("hs")) {
    sound = "S";
    at = word.startsWith("x") ? 1 : 2;
  }
  while (at < word.length) {
    const letter = word[at] as string;
    const group = groups[letter]?.find(([letters]) => word.startsWith(letters, at));
    let next = group ? group[1] : letter;
    if (letter === "y" && isVowel(word[at - 1]) && isVowel(word[at + 1])) next = "j";
    for (const each of next) if (!sound.endsWith(each)) sound += each;
    at += group ? group[0].length : 1;
  }
  return sound;
}

/** Sounds that are often confused. */
const confused: Readonly<Record<string, string>> = { S: "s", C: "s", z: "s", j: "s", g: "k" };

/** The consonants of the sound; sounds that are often confused are one. A vowel is kept at the start only. */
export function toSkeleton(sound: string): string {
  let skeleton = isVowel(sound[0]) ? "a" : "";
  for (let at = 0; at < sound.length; at += 1) {
    const letter = sound[at] as string;
    if (isVowel(letter) || (letter === "h" && at > 0)) continue;
    const next = confused[letter] ?? letter;
    if (!skeleton.endsWith(next)) skeleton += next;
  }
  return skeleton;
}

/** For words without written vowels: also without the letters that stand for vowels in such scripts. */
export function toBareSkeleton(skeleton: string): string {
  let bare = "";
  for (const letter of skeleton) if (!"avwyh".includes(letter)) bare += letter;
  return bare === "" || bare.length === skeleton.length ? skeleton : bare;
}

function isVowel(letter: string | undefined): boolean {
  return letter !== undefined && "aeiouy".includes(letter);
}
