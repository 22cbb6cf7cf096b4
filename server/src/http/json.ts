// Reads JSON that others wrote. What it may be made of is bounded before it is parsed, and amounts are digits alone.

import { setImmediate as nextTurn } from "node:timers/promises";
import { limits } from "../limits.ts";
import { Refusal } from "../refusals/refusals.ts";

/** As JSON.parse, which throws for what is not JSON. */
export function parseJson(text: string): unknown {
  if (text.length > limits.smallBodyBytes) refuseComplex(text);
  return JSON.parse(withAmountsAsWritten(text));
}

/** The same for megabytes. Other requests have their turn between the steps. */
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
      // Not JSON, as the parser will say.
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

/** Where the string that begins here has its closing quote: the first that no odd number of backslashes escapes. */
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
 * 1.0 and 1e2 are whole numbers to JSON.parse. An amount that is written so becomes a text, which no field accepts. One
 * such as 0.5 stays a number: where amounts are whole, its field refuses it. In JSON these bytes are always the name of a
 * field: within a text its second quote would be escaped.
 */
function withAmountsAsWritten(text: string): string {
  if (!text.includes('"amount"')) return text;
  return text.replace(otherAmount, (all, name: string, amount: string) =>
    Number.isInteger(Number(amount)) ? `${name}"${amount}"` : all,
  );
}
