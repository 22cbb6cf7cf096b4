// Parses JSON from callers. Its size and depth are checked first, and amounts must be written as digits.

import { setImmediate as nextTurn } from "node:timers/promises";
import { limits } from "../limits/index.ts";
import { Refusal } from "../refusals/index.ts";

/** Throws like JSON.parse. */
export function parseJson(text: string): unknown {
  if (text.length > limits.smallBodyBytes) refuseComplex(text);
  return JSON.parse(withAmountsAsWritten(text));
}

/** The same for large bodies. Other requests run between the steps. */
export async function parseLargeJson(text: string): Promise<unknown> {
  refuseComplex(text);
  await nextTurn();
  const written = withAmountsAsWritten(text);
  await nextTurn();
  return JSON.parse(written);
}

/**
 * Deep nesting and objects with very many fields take the parser a hundred times longer than other JSON of that
 * length. A small body can't have enough of either.
 */
function refuseComplex(text: string): void {
  const fields = new Uint32Array(limits.jsonDepthMax + 1);
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === quote) at = endOfString(text, at);
    else if (char === openBrace || char === openBracket) {
      depth += 1;
      if (depth > limits.jsonDepthMax) throw new Refusal("SYST110");
      fields[depth] = 0;
    } else if (char === closeBrace || char === closeBracket) {
      depth -= 1;
      // Not JSON; the parser reports it.
      if (depth < 0) return;
    } else if (char === colon) {
      fields[depth] = (fields[depth] as number) + 1;
      if ((fields[depth] as number) > limits.jsonFieldsMax) throw new Refusal("SYST110");
    } else if (char === comma) {
      values += 1;
      if (values > limits.jsonValuesMax) throw new Refusal("SYST110");
    }
  }
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The index of the closing quote: the first one that is not escaped. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

const otherAmount = /("amount"\s*:\s*)(-?\d+[.eE][\d.eE+-]*)/g;

/**
 * JSON.parse reads 1.0 and 1e2 as whole numbers. Such an amount becomes a string here, which no field accepts. One such
 * as 0.5 stays a number, which its field refuses. `"amount"` is always a field name: inside a string its second quote
 * would be escaped.
 */
function withAmountsAsWritten(text: string): string {
  if (!text.includes('"amount"')) return text;
  return text.replace(otherAmount, (all, name: string, amount: string) =>
    Number.isInteger(Number(amount)) ? `${name}"${amount}"` : all,
  );
}
