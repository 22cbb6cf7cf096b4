// Which passwords are too easy to guess. Pure.

import { limits } from "../limits.ts";
import { Refusal } from "../refusals.ts";

/** Nothing but words that people build passwords from. */
const obvious = /^(?:password|passwort|letmein|welcome|admin|administrator|disburse|qwerty\w*)+$/;

export function demandStrong(password: string, whose: { email: string }): void {
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
  // With the digits and signs undone that stand for letters.
  const letters = lower
    .replace(/[@4]/g, "a")
    .replace(/[$5]/g, "s")
    .replace(/0/g, "o")
    .replace(/3/g, "e")
    .replace(/1/g, "i")
    .replace(/[^a-z]/g, "");
  const isObvious = obvious.test(letters) || isSequence(lower);
  return isObvious ? "It is one of those that are tried first" : undefined;
}

/** Such as 123456789012 or abcdefghijkl: each character follows the one before. */
function isSequence(text: string): boolean {
  const steps = [...text]
    .slice(1)
    .map((char, index) => char.charCodeAt(0) - text.charCodeAt(index));
  return steps.filter((step) => Math.abs(step) === 1 || step === 0).length > steps.length * 0.8;
}
