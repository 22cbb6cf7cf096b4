// Which passwords are too easy to guess. Pure.

import { limits } from "../limits.ts";
import { Refusal } from "../refusals/refusals.ts";
import { commonWordCharsMax, commonWords } from "./common-passwords.ts";

export function requireStrongPassword(password: string, whose: { email: string }): void {
  const message = weaknessOf(password, whose);
  if (message) throw new Refusal([{ code: "CONS204", message, field: "password" }]);
}

/** Undefined where it will do; otherwise what is wrong with it. */
function weaknessOf(password: string, { email }: { email: string }): string | undefined {
  const { passwordCharsMin: min, passwordCharsMax: max } = limits;
  if ([...password].length < min) return `It must have at least ${min} characters`;
  if (password.length > max) return `It may have at most ${max} characters`;
  const lower = password.toLowerCase();
  const [local = ""] = email.toLowerCase().split("@");
  const isAboutThem =
    lower.includes(email.toLowerCase()) || (local.length > 3 && lower.includes(local));
  if (isAboutThem) return "It must not contain your e-mail address";
  if (new Set(lower).size < 5) return "It repeats a few characters";
  if (isRepeated(lower)) return "It repeats a few characters";
  const domain = email.toLowerCase().split("@")[1]?.split(".")[0] ?? "";
  const isObvious = isSequence(lower) || formsOf(lower).some((form) => isMadeOfWords(form, domain));
  return isObvious ? "It is one of those that are tried first" : undefined;
}

/** The letters of the password, with digits and signs left out, and read as the letters that they stand for. */
function formsOf(lower: string): string[] {
  const bare = lower.normalize("NFKD").replace(/\p{M}/gu, "");
  // What is put at the ends to please a rule stands for nothing.
  const core = bare.replace(/^\P{L}+|\P{L}+$/gu, "");
  const texts = [bare, core].flatMap((text) => [text, text.replace(/[!|+]/g, "")]);
  const ways = ["i", "l"].flatMap((one) => texts.map((text) => readAsLetters(text, one)));
  return [...new Set([bare, ...ways].map((text) => text.replace(/\P{L}/gu, "")))];
}

function readAsLetters(text: string, one: string): string {
  const letters: Record<string, string> = {
    ...{ "@": "a", "4": "a", $: "s", "5": "s", "0": "o", "3": "e", "7": "t", "+": "t", "8": "b" },
    ...{ "1": one, "!": one, "|": one, "€": "e", "9": "g", "6": "g", "2": "z" },
  };
  return [...text].map((char) => letters[char] ?? char).join("");
}

/** Nothing but words that many passwords are made of; also no letter at all. */
function isMadeOfWords(letters: string, ownWord: string): boolean {
  const isWord = (text: string) => commonWords.has(text) || (text.length > 3 && text === ownWord);
  const charsMax = Math.max(commonWordCharsMax, ownWord.length);
  // By where a word may end: from each of these places the next one begins.
  const ends = new Set([0]);
  for (let end = 1; end <= letters.length; end += 1) {
    for (let start = Math.max(0, end - charsMax); start < end; start += 1) {
      if (ends.has(start) && isWord(letters.slice(start, end))) ends.add(end);
    }
  }
  return ends.has(letters.length);
}

/** A few characters, again and again. */
function isRepeated(text: string): boolean {
  return /^(.{1,6}?)\1+$/s.test(text) || /^(.{1,4}?)\1{2,}.{0,3}$/s.test(text);
}

/** Such as 123456789012 or abcdefghijkl: each character follows the one before. */
function isSequence(text: string): boolean {
  const steps = [...text]
    .slice(1)
    .map((char, index) => char.charCodeAt(0) - text.charCodeAt(index));
  return steps.filter((step) => Math.abs(step) === 1 || step === 0).length > steps.length * 0.8;
}
