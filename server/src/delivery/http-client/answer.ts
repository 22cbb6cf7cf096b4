// What is kept of an answer to an event: the beginning, as text that can be stored and shown to people.

import { limits } from "../../limits.ts";

/** A receiver may send back what it got, and our logs of attempts are no place for any of these. */
const secrets: [RegExp, string][] = [
  // A slash may come back as \/ or %2F.
  [/whsec_[A-Za-z0-9+/=_%\\-]+/g, "whsec_…"],
  [/\b([as]k_(?:test|live)_)[A-Za-z0-9_-]+/g, "$1…"],
  [/\bv1a?(?:,|%2C)[A-Za-z0-9+/=_%\\-]+/gi, "v1,…"],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]+/gi, "$1 …"],
  [/(authorization["']?\s*[:=]\s*["']?)(?!bearer|basic)[^\s"',;<>]+/gi, "$1…"],
  // Account numbers, mostly. The end is enough to recognise one.
  [/\d{4,}(?=\d\d)/g, "…"],
];

/** Most answers hold none of them, and most deliveries are answered. */
const maybeSecret = /whsec_|[as]k_(?:test|live)_|\bv1a?(?:,|%2C)|bearer|basic|authorization|\d{6}/i;

/** Unseen by people, and steering a terminal. NUL would not go into the database. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const unseen = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/** At most `limits.answerKeptBytesMax` as UTF-8. */
export function keepAnswer(bytes: Buffer): string {
  if (bytes.length === 0) return "";
  const { answerKeptBytesMax } = limits;
  // Bytes that are no UTF-8 become U+FFFD here.
  let text = bytes.toString("utf8", 0, answerKeptBytesMax).replace(unseen, "\ufffd");
  if (maybeSecret.test(text)) {
    for (const [pattern, shown] of secrets) text = text.replace(pattern, shown);
  }
  return cut(text, answerKeptBytesMax);
}

function cut(text: string, bytesMax: number): string {
  // A character takes three bytes at most for each unit of its length.
  if (text.length * 3 <= bytesMax) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  let end = bytesMax;
  // Not within a character.
  while (((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
  return bytes.toString("utf8", 0, end);
}
