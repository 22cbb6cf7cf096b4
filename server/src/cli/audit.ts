// disburse audit list | verify: what people did, and whether the record of it is as it was written.

import { type Command, InvalidArgumentError } from "commander";
import type { Link } from "../audit/entry.ts";
import { listEntries } from "../audit/list-queries.ts";
import { faultText, verifyAndNote } from "../audit/state.ts";
import { limits } from "../limits.ts";
import { withDatabase } from "./database.ts";
import { readCount, readTime, readUuid } from "./option-values.ts";
import { print, time } from "./output.ts";
import { Progress } from "./progress.ts";
import { exitCodes, Stop } from "./stop.ts";

type Json = { json?: boolean };
type ListOptions = Json & {
  who?: string;
  action?: string;
  object?: string;
  subaccount?: string;
  from?: number;
  to?: number;
  limit: number;
};

export function addAuditCommands(audit: Command): void {
  audit
    .command("list")
    .description("what people did, newest first")
    .option("--who <name>", "only by this person, such as operator:ada@example.com")
    .option("--action <name>", "only this, such as payout.approve")
    .option("--object <id>", "only what was done to this")
    .option("--subaccount <id>", "only what concerns this subaccount", readUuid)
    .option("--from <date>", "not before this day or time", readTime)
    .option("--to <date>", "before this day or time", readTime)
    .option("--limit <count>", "at most so many", readCount, limits.listDefault)
    .option("--json", "print JSON")
    .action((options: ListOptions) =>
      withDatabase("audit list", async ({ db }) => {
        const { who, action, object: objectId, subaccount: subaccountId } = options;
        const filter = { who, action, objectId, subaccountId, fromMs: options.from };
        const page = { before: Number.MAX_SAFE_INTEGER, toMs: options.to, limit: options.limit };
        const entries = await listEntries(db, { ...filter, ...page });
        if (options.json) return print(entries, options);
        print(
          entries.map(({ number, atMs, who, action, objectKind, objectId, ip }) => ({
            number,
            when: time(String(atMs)),
            ...{ who, action, object: `${objectKind} ${objectId}`, ip },
          })),
          options,
        );
      }),
    );

  audit
    .command("verify")
    .description("recompute the chain, and say what does not fit; exit code 1 when something does")
    .option(
      "--expect <number:hash>",
      "the head that an earlier verification has shown: it must be part of the chain",
      readLink,
    )
    .option("--json", "print JSON")
    .action(({ expect: known, json }: Json & { expect?: Link }) =>
      withDatabase("audit verify", async (opened) => {
        const progress = new Progress({ what: "verifying" });
        const onProgress = (checked: number, of: number) => progress.at(checked, checked / of);
        const { entries, head, fault } = await verifyAndNote(opened, { known, onProgress });
        if (entries > limits.auditPage) progress.end(entries);
        print(
          { entries, head: `${head.number}:${head.hash}`, fault: fault?.what ?? null },
          { json },
        );
        if (fault)
          throw new Stop(`The audit is not right. ${faultText(fault)}.`, exitCodes.refused);
      }),
    );
}

function readLink(text: string): Link {
  const [, number, hash] = /^(\d{1,15}):([\w-]{43})$/.exec(text) ?? [];
  if (!hash) throw new InvalidArgumentError("Give it as audit verify has shown it.");
  return { number: Number(number), hash };
}
