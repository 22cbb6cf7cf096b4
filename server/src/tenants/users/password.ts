// Rejects passwords that are easy to guess. Pure.

import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { commonWordCharsMax, commonWords } from "./common-passwords.ts";

export function requireStrongPassword(password: string, whose: { email: string }): void {
  const message = weaknessOf(password, whose);
  if (message) throw new Refusal([{ code: "CONS204", message, field: "password" }]);
}

/** Returns the problem, or undefined if the password is good enough. */
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

/** The letters of the password: once without digits and punctuation, and once with these read as letters. */
function formsOf(lower: string): string[] {
  const bare = lower.normalize("NFKD").replace(/\p{M}/gu, "");
  // Characters that were only added at the ends to satisfy a rule are ignored.
  const core = bare.replace(/^\P{L}+|\P{L}+$/gu, "");
  const texts = [bare, core].flatMap((text) => [text, text.replace(/[!|+]/g, "")]);
  const ways = ["i", "l"].flatMap((one) => texts.map((text) => readAsLetters(text, one)));
  return [...new Set([bare, ...ways].map((text) => text.replace(/\P{L}/gu, "")))];
}

function readAsLetters(text: string, one: string): string {
  const letters: Record<string, string> = {
    "@": "a",
    "4": "a",
    $: "s",
    "5": "s",
    "0": "o",
    "3": "e",
    "7": "t",
    "+": "t",
    "8": "b",
    "1": one,
    "!": one,
    "|": one,
    "€": "e",
    "9": "g",
    "6": "g",
    "2": "z",
  };
  return [...text].map((char) => letters[char] ?? char).join("");
}

/** True if it consists of common password words, or has no letters. */
function isMadeOfWords(letters: string, ownWord: string): boolean {
  const isWord = (text: string) => commonWords.has(text) || (text.length > 3 && text === ownWord);
  const charsMax = Math.max(commonWordCharsMax, ownWord.length);
  // Positions at which a word may end. The next word begins at one of them.
  const ends = new Set([0]);
  for (let end = 1; end <= letters.length; end += 1) {
    for (let start = Math.max(0, end - charsMax); start < end; start += 1) {
      if (ends.has(start) && isWord(letters.slice(start, end))) ends.add(end);
    }
  }
  return ends.has(letters.length);
}

/** A few characters, repeated. */
function isRepeated(text: string): boolean {
  return /^(.{1,6}?)\1+$/s.test(text) || /^(.{1,4}?)\1{2,}.{0,3}$/s.test(text);
}

/** Such as 123456789012 or abcdefghijkl: each character is the successor of the one before. */
function isSequence(text: string): boolean {
  const steps = [...text]
    .slice(1)
    .map((char, index) => char.charCodeAt(0) - text.charCodeAt(index));
  return steps.filter((step) => Math.abs(step) === 1 || step === 0).length > steps.length * 0.8;
}
