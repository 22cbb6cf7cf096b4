// Parsers for option values: each returns the value, or says how to write it.

import { InvalidArgumentError, Option } from "commander";
import { isCurrency, isUuid, parseDecimal, thousand } from "../../platform/base/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { readMetadataPair } from "../../platform/metadata/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";

/** A single line of text, which histories and the audit log keep. */
export function readLine(charsMax: number): (text: string) => string {
  return (text) => {
    const line = text.trim();
    if (
      line === "" ||
      line.length > charsMax ||
      /[\p{Cc}\p{Cs}\u2028-\u202E\u2066-\u2069]/u.test(line)
    ) {
      throw new InvalidArgumentError(`Give one line of 1 to ${charsMax} characters.`);
    }
    return line;
  };
}

/** Minor units by currency, from `AUD=5000.00`. */
export function readLevels(
  text: string,
  before: Record<string, number> = {},
): Record<string, number> {
  const [currency = "", amount = ""] = text.split("=");
  const level = isCurrency(currency) ? parseDecimal(amount, currency) : undefined;
  if (level === undefined) throw new InvalidArgumentError("Give AUD=5000.00.");
  return { ...before, [currency]: Number(level) };
}

/** Given once for each key: an invalid one is refused with the code of the field. */
export function metadataOption(meaning: string): Option {
  return new Option("--metadata <key=value>", meaning).argParser(
    (text, before: Record<string, string> = {}) => ({ ...before, ...readMetadataPair(text) }),
  );
}

export function readCurrency(text: string): string {
  if (!isCurrency(text)) throw new InvalidArgumentError("Give a code such as AUD.");
  return text;
}

/** Minor units, from a decimal amount. It needs the currency, which is another option. */
export function readAmountOption(text: string, currency: string): bigint {
  const amount = parseDecimal(text, currency);
  if (amount !== undefined) return amount;
  const why = `--amount is not an amount of ${currency}: write it like ${thousand(currency)}, above zero.`;
  throw new CliError(why, exitCodes.usage);
}

/** Milliseconds since the Unix epoch, from a date or from milliseconds. */
export function readTime(text: string): number {
  const ms = timeOf(text);
  if (Number.isNaN(ms)) throw new InvalidArgumentError("Give a day or time such as 2026-11-30.");
  return ms;
}

function timeOf(text: string): number {
  return /^\d{11,15}$/.test(text) ? Number(text) : Date.parse(text);
}

/** Takes what readTime takes, or a duration before now. The value is a string of digits, as the schemas want it. */
export function dateOption(flags: string, meaning: string): Option {
  return new Option(flags, meaning).argParser((text) => {
    const [, amount, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
    const agoMs = Number(amount) * unitMs[unit as keyof typeof unitMs];
    const ms = amount === undefined ? timeOf(text) : Date.now() - agoMs;
    if (!Number.isNaN(ms)) return String(ms);
    const how = "Give a day or time such as 2026-11-30, or how long ago, such as 2h.";
    throw new InvalidArgumentError(how);
  });
}

export function readMonth(text: string): string {
  if (/^20\d\d-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError("Give a month such as 2026-10.");
}

export function readUuid(text: string): string {
  if (!isUuid(text)) throw new InvalidArgumentError("Give a subaccount's id.");
  return text.toLowerCase();
}

export function readCount(text: string): number {
  const count = Number(text);
  if (!/^\d{1,6}$/.test(text) || count < 1) throw new InvalidArgumentError("Give a whole number.");
  return count;
}

const unitMs = { "": 1000, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds for which a replaced secret stays valid. */
export function readGrace(text: string): number {
  const [, amount = "", unit = ""] = /^(\d{1,7})([smhd]?)$/.exec(text) ?? [];
  const graceMs = amount === "" ? Number.NaN : Number(amount) * unitMs[unit as keyof typeof unitMs];
  if (!(graceMs <= limits.rotationGraceMaxMs)) throw new InvalidArgumentError("Give 0 to 7d.");
  return graceMs;
}
