// Whether a key is a test key. It is told before anything is written, because receivers of a live subaccount are real.

import { randomUUID } from "node:crypto";
import { type Exchange, type Run, valueAt } from "./run.ts";

const hasWord = (key: string, word: string) => new RegExp(`(^|[_-])${word}([_-]|$)`, "i").test(key);

const codeOf = ({ json }: Exchange) => valueAt(json, "error.0.code");

/** Why the key may not be used. Undefined: it is a test key. */
export async function whyNotTest(
  run: Run,
  key: string,
  { isDeclared }: { isDeclared: boolean },
): Promise<string | undefined> {
  if (hasWord(key, "live")) return "The key is a live one by its name. Give a test key.";
  // Nothing has this id, so nothing is written. Disburse refuses a live key before it looks for it.
  const asked = { id: randomUUID(), type: "kyc", status: "success" };
  const by = { ...run.target.by, ...(key === run.target.other?.key && run.target.other) };
  const exchange = await run.ask("POST /api/test-helpers/status", { body: asked, by });
  const code = codeOf(exchange);
  if (code === "AUTH111") return "The server says that the key is a live one. Give a test key.";
  if (code === "TEST201") return undefined;
  if (exchange.status === 401 || exchange.status === 403) {
    return run.shown(`The server refuses the key: ${exchange.status} ${exchange.text}`);
  }
  if (hasWord(key, "test") || isDeclared) return undefined;
  return "Neither the key nor the server says that it is a test key. If it is one, add --test-key.";
}
