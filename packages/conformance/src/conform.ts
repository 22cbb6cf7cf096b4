// The runner: asks for every promise of the table, one after the other.

import type { Promised } from "./promise.ts";
import { NotTried, Run, type Target } from "./run.ts";
import { addedPromises, basePromises } from "./table.ts";
import { whyNotTest } from "./test-key.ts";

export type Line = Pick<Promised, "section" | "name" | "promise"> & {
  outcome: "kept" | "broken" | "not tried";
  request: string;
  expected: string;
  seen: string;
};

export type Report = {
  url: string;
  /** What the emails of the receivers that were created have. */
  marker: string;
  startedAt: string;
  lines: readonly Line[];
};

/** It can't begin: the key is not a test key, or the server can't be reached. */
export class Refused extends Error {}

export async function conform(
  target: Target,
  { isTestKey = false }: { isTestKey?: boolean } = {},
): Promise<Report> {
  const run = new Run(target);
  const startedAt = new Date().toISOString();
  const keys = [target.by.key, ...(target.other ? [target.other.key] : [])];
  for (const key of keys) {
    const why = await whyNotTest(run, key, { isDeclared: isTestKey }).catch((error: Error) => {
      throw new Refused(`${target.url} can't be reached: ${reasonOf(error)}.`);
    });
    if (why !== undefined) throw new Refused(why);
  }
  const promises = target.isDisburse ? [...basePromises, ...addedPromises] : basePromises;
  const lines: Line[] = [];
  for (const promise of promises) lines.push(await lineOf(run, promise));
  return { url: target.url, marker: run.marker, startedAt, lines };
}

async function lineOf(run: Run, { section, name, promise, call, check }: Promised): Promise<Line> {
  const of = { section, name, promise };
  try {
    const exchange = await run.once(call);
    const { holds, expected, seen } = await check(exchange, run);
    const outcome = holds ? "kept" : "broken";
    const { request } = exchange;
    return { ...of, outcome, request, expected: run.shown(expected), seen: run.shown(seen) };
  } catch (error) {
    const isNotTried = error instanceof NotTried;
    const seen = isNotTried ? error.message : `no response: ${reasonOf(error as Error)}`;
    const outcome = isNotTried ? "not tried" : "broken";
    return { ...of, outcome, request: "", expected: "a response", seen };
  }
}

function reasonOf({ cause, message }: Error): string {
  const { code, message: deeper } = (cause ?? {}) as { code?: string; message?: string };
  return code ?? deeper ?? message;
}
