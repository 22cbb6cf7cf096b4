// disburse logs tail: prints API requests as they are answered.

import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { limits } from "../../platform/limits/index.ts";
import { type RequestLine, RequestsFilter, readRequestPage } from "../request-list/index.ts";
import { type ReadOptions, readOptions, withCommandContext } from "./command-context.ts";
import { interruptible } from "./interruption.ts";
import { oneLine } from "./output.ts";
import { filterOf } from "./schema-options.ts";
import { stdout } from "./terminal.ts";

const pollMs = 1_000;
/** A request is logged when it is answered but sorted by its arrival, so each poll looks back this far. */
const lookBackMs = 2 * limits.requestTimeoutMs;

type TailOptions = ReadOptions & { path?: string };

export function addLogCommands(logs: Command): void {
  const tail = logs
    .command("tail")
    .description("print requests as they are answered, starting with the last minute")
    .option("--status <status>", "a status, or a class such as 4xx")
    .option("--path <path>", "beginning of the path, such as /api/receiver")
    .option("--method <method>", "GET, POST, PATCH or DELETE")
    .option("--code <code>", "error code, such as REVR201")
    .option("--key <key>", "API key of the request");
  readOptions(tail).action(async ({ path, ...options }: TailOptions) => {
    const filter = filterOf<RequestsFilter>(RequestsFilter, { ...options, route: path });
    await withCommandContext("logs tail", options, async ({ db, subaccountId }) => {
      const lineOf = options.json ? asJson : asText;
      let seen = new Set<string>();
      await interruptible(async (signal) => {
        while (!signal.aborted) {
          const from = String(Date.now() - lookBackMs);
          const query = { ...filter, from, limit: String(limits.rowsMax) };
          const { rows } = await readRequestPage(db, subaccountId, query);
          const fresh = rows.filter(({ id }) => !seen.has(id)).toReversed();
          seen = new Set(rows.map(({ id }) => id));
          for (const row of fresh) stdout.write(`${lineOf(row)}\n`);
          await sleep(pollMs, undefined, { signal }).catch(() => {});
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
