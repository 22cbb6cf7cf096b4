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

/** The groups by the code of their first letter. */
const groupsByCode = Array.from({ length: 128 }, (_, code) => groups[String.fromCharCode(code)]);
const vowelCodes = codesOf("aeiouy");
const letterH = "h".charCodeAt(0);
const letterY = "y".charCodeAt(0);

/** The word with one letter for each sound, without doubled letters. */
export function toSound(word: string): string {
  if (isWrittenAsHeard(word)) return word;
  let sound = "";
  let at = 0;
  // As in Xi and Hsi.
  if (word.startsWith("x") || word.startsWith("hs")) {
    sound = "S";
    at = word.startsWith("x") ? 1 : 2;
  }
  while (at < word.length) {
    const group = groupAt(word, at);
    let next = group ? group[1] : (word[at] as string);
    if (isConsonantY(word, at)) next = "j";
    for (const each of next) if (!sound.endsWith(each)) sound += each;
    at += group ? group[0].length : 1;
  }
  return sound;
}

/** Most words are, and need no new text. */
function isWrittenAsHeard(word: string): boolean {
  if (word.startsWith("hs")) return false;
  let before = 0;
  for (let at = 0; at < word.length; at += 1) {
    const letter = word.charCodeAt(at);
    if (letter === before || groupAt(word, at) || isConsonantY(word, at)) return false;
    before = letter;
  }
  return true;
}

function groupAt(word: string, at: number): (typeof groups)[string][number] | undefined {
  const ofLetter = groupsByCode[word.charCodeAt(at)];
  if (ofLetter === undefined) return undefined;
  for (const group of ofLetter) if (word.startsWith(group[0], at)) return group;
  return undefined;
}

/** Between vowels. */
function isConsonantY(word: string, at: number): boolean {
  if (word.charCodeAt(at) !== letterY || at === 0 || at + 1 === word.length) return false;
  return isVowel(word.charCodeAt(at - 1)) && isVowel(word.charCodeAt(at + 1));
}

/** Sounds that are often confused. */
const confused: Readonly<Record<string, string>> = { S: "s", C: "s", z: "s", j: "s", g: "k" };
const skeletonLetters = Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  return confused[letter] ?? letter;
});

/** The consonants of the sound; sounds that are often confused are one. A vowel is kept at the start only. */
export function toSkeleton(sound: string): string {
  let skeleton = isVowel(sound.charCodeAt(0)) ? "a" : "";
  let last = skeleton;
  for (let at = 0; at < sound.length; at += 1) {
    const letter = sound.charCodeAt(at);
    if (isVowel(letter) || (letter === letterH && at > 0)) continue;
    const next = skeletonLetters[letter] as string;
    if (next !== last) skeleton += next;
    last = next;
  }
  return skeleton;
}

const bareless = codesOf("avwyh");

/** For words without written vowels: also without the letters that stand for vowels in such scripts. */
export function toBareSkeleton(skeleton: string): string {
  let bare = "";
  let isBare = true;
  for (let at = 0; at < skeleton.length; at += 1) {
    if (bareless[skeleton.charCodeAt(at)] === 0) bare += skeleton[at];
    else isBare = false;
  }
  return isBare || bare === "" ? skeleton : bare;
}

function isVowel(letter: number): boolean {
  return vowelCodes[letter] === 1;
}

/** 1 at the code of each letter. */
function codesOf(letters: string): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) =>
    letters.includes(String.fromCharCode(code)) ? 1 : 0,
  );
}
