// Keeps the start of a response, as redacted text that can be stored and shown.

import { limits } from "../../platform/limits/index.ts";

/** An endpoint may echo what it received. None of these may end up in the log of attempts. */
const secrets: [RegExp, string][] = [
  // A slash may come back as \/ or %2F.
  [/whsec_[A-Za-z0-9+/=_%\\-]+/g, "whsec_…"],
  [/\b([as]k_(?:test|live)_)[A-Za-z0-9_-]+/g, "$1…"],
  [/\bv1a?(?:,|%2C)[A-Za-z0-9+/=_%\\-]+/gi, "v1,…"],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]+/gi, "$1 …"],
  [/(authorization["']?\s*[:=]\s*["']?)(?!bearer|basic)[^\s"',;<>]+/gi, "$1…"],
  // Mostly account numbers. The last two digits are enough to recognise one.
  [/\d{4,}(?=\d\d)/g, "…"],
];

/** A quick check first: most responses hold no secret. */
const maybeSecret = /whsec_|[as]k_(?:test|live)_|\bv1a?(?:,|%2C)|bearer|basic|authorization|\d{6}/i;

/** Control characters, which are invisible or steer a terminal. PostgreSQL rejects NUL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it searches for.
const unseen = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/** At most `limits.answerKeptBytesMax` as UTF-8. */
export function keepAnswer(bytes: Buffer): string {
  if (bytes.length === 0) return "";
  const { answerKeptBytesMax } = limits;
  // Bytes that are not UTF-8 become U+FFFD here.
  let text = bytes.toString("utf8", 0, answerKeptBytesMax).replace(unseen, "\ufffd");
  if (maybeSecret.test(text)) {
    for (const [pattern, shown] of secrets) text = text.replace(pattern, shown);
  }
  return cut(text, answerKeptBytesMax);
}

function cut(text: string, bytesMax: number): string {
  // One UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= bytesMax) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  let end = bytesMax;
  // Never cuts inside a character.
  while (((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
  return bytes.toString("utf8", 0, end);
}
