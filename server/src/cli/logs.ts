// disburse logs tail: what is asked of the interface, as it comes.

import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { readRequestPage } from "../console/requests/list.ts";
import { type RequestLine, RequestsFilter } from "../console/requests/schema.ts";
import { limits } from "../limits.ts";
import { type ReadOptions, readOptions, withCommandContext } from "./command-context.ts";
import { interruptible } from "./interruption.ts";
import { oneLine } from "./output.ts";
import { filterOf } from "./schema-options.ts";

const lookMs = 1_000;
/** A request is written down when it is answered, and has the place of its arrival: so these are looked at again. */
const lookBackMs = 2 * limits.requestTimeoutMs;

type TailOptions = ReadOptions & { path?: string };

export function addLogCommands(logs: Command): void {
  const tail = logs
    .command("tail")
    .description("requests as they are answered, those of the last minute first")
    .option("--status <status>", "a class, such as 4xx, or one status")
    .option("--path <path>", "how the address begins, such as /api/receiver")
    .option("--method <method>", "GET, POST, PATCH or DELETE")
    .option("--code <code>", "what it was refused with, such as REVR201")
    .option("--key <key>", "the API key that it was made with");
  readOptions(tail).action(async ({ path, ...options }: TailOptions) => {
    const filter = filterOf<RequestsFilter>(RequestsFilter, { ...options, route: path });
    await withCommandContext("logs tail", options, async ({ db, subaccountId }) => {
      const tell = options.json ? asJson : asText;
      let seen = new Set<string>();
      await interruptible(async (signal) => {
        while (!signal.aborted) {
          const from = String(Date.now() - lookBackMs);
          const asked = { ...filter, from, limit: String(limits.rowsMax) };
          const { rows } = await readRequestPage(db, subaccountId, asked);
          const fresh = rows.filter(({ id }) => !seen.has(id)).toReversed();
          seen = new Set(rows.map(({ id }) => id));
          for (const row of fresh) process.stdout.write(`${tell(row)}\n`);
          await sleep(lookMs, undefined, { signal }).catch(() => {});
        }
      });
    });
  });
}

function asJson(row: RequestLine): string {
  return JSON.stringify(row);
}

function asText({ at, status, method, path, ms, codes, id }: RequestLine): string {
  const time = new Date(at).toISOString();
  const words = [time, status, method.padEnd(6), path, `${ms} ms`, ...codes, `[${id}]`];
  return oneLine(words.join(" "));
}
