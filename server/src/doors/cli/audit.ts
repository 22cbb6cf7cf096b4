// disburse audit list | verify | verify-file: lists the audit log, and verifies its hash chain.

import { type Command, InvalidArgumentError, Option } from "commander";
import { limits } from "../../platform/limits/index.ts";
import {
  anchorText,
  type ChainLink,
  faultText,
  listNewestEntries,
  readAnchorFile,
  readAnchors,
  verifyAndRecord,
} from "../../tenants/audit/index.ts";
import { CliError, configuration, exitCodes } from "../setup/index.ts";
import { withDatabase } from "./database.ts";
import { existsSync, readFileSync } from "./local-files.ts";
import { readCount, readTime, readUuid } from "./option-values.ts";
import { print, time } from "./output.ts";
import { Progress } from "./progress.ts";
import { stderr } from "./terminal.ts";

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
    .description("list audit entries, newest first")
    .option("--who <name>", "only by this actor, such as operator:ada@example.com or command:root")
    .option("--action <name>", "only this action, such as payout.approve")
    .option("--object <id>", "only about this object")
    .option("--subaccount <id>", "only of this subaccount", readUuid)
    .option("--from <date>", "not before this day or time", readTime)
    .option("--to <date>", "before this day or time", readTime)
    .option("--limit <count>", "maximum number of entries", readCount, limits.listDefault)
    .option("--json", "print JSON")
    .action((options: ListOptions) =>
      withDatabase("audit list", async ({ db }) => {
        const { who, action, object: objectId, subaccount: subaccountId } = options;
        const filter = { who, action, objectId, subaccountId, fromMs: options.from };
        const wanted = { ...filter, toMs: options.to };
        const entries = await listNewestEntries(db, wanted, options.limit);
        if (options.json) return print(entries, options);
        print(
          entries.map(({ number, atMs, who, action, objectKind, objectId, ip }) => ({
            number,
            when: time(String(atMs)),
            who,
            action,
            object: `${objectKind} ${objectId}`,
            ip,
          })),
          options,
        );
      }),
    );

  audit
    .command("verify")
    .description("verify the hash chain of the audit log; exit code 1 when it is broken")
    .option(
      "--anchor <number:hash>",
      "a head that was printed or logged before; the chain must contain it; may be repeated",
      addLink,
    )
    .option("--anchors <file>", "check every anchor in this file, such as a log", addLinksOf)
    .addOption(new Option("--expect <number:hash>", "as --anchor").argParser(addLink).hideHelp())
    .option("--json", "print JSON")
    .action(({ json, ...given }: VerifyOptions) =>
      withDatabase(
        "audit verify",
        async (opened) => {
          const { auditAnchorFile: file, database } = configuration();
          // The embedded database has a file by default, which the service writes after a minute.
          if (file !== undefined && "url" in database && !existsSync(file)) {
            throw new CliError(
              `There is no file ${file} (AUDIT_ANCHOR_FILE), so the log can't be compared with its anchors.`,
              exitCodes.notFound,
            );
          }
          const kept = file === undefined ? [] : readAnchorFile(file);
          const anchors = [given.anchor, given.anchors, given.expect, kept].flatMap(
            (some) => some ?? [],
          );
          const progress = new Progress({ what: "verifying" });
          const onProgress = (checked: number, of: number) => progress.at(checked, checked / of);
          const verified = await verifyAndRecord(opened, { anchors, onProgress });
          const { entries, head, fault } = verified;
          if (entries > limits.auditPage) progress.end(entries);
          print(
            {
              entries,
              head: anchorText(head),
              anchors: anchors.length,
              fault: fault?.what ?? null,
            },
            { json },
          );
          if (fault)
            throw new CliError(`The audit log is broken. ${faultText(fault)}.`, exitCodes.refused);
          stderr.write(provedText(verified, anchors.length));
        },
        // It records when it was verified.
        { worksInQuarantine: true },
      ),
    );

  audit
    .command("verify-file <file>")
    .description(
      "verify a file of entries that a move of a subaccount has written; exit code 1 when it was changed",
    )
    .option("--json", "print JSON")
    .action((path: string, { json }: Json) =>
      withDatabase("audit verify-file", async ({ seal }) => {
        if (!existsSync(path)) throw new CliError(`There is no file ${path}.`, exitCodes.notFound);
        const text = readFileSync(path, "utf8");
        const { auditExportFault } = await import("../moves/index.ts");
        const fault = auditExportFault(seal, text);
        if (fault) throw new CliError(`The file is not right: ${fault}.`, exitCodes.refused);
        print({ entries: text.split("\n").length - 2, fault: null }, { json });
      }),
    );
}

type VerifyOptions = Json & { anchor?: ChainLink[]; anchors?: ChainLink[]; expect?: ChainLink[] };

/** What an exit code of 0 means, and what it does not. */
function provedText(
  { entries, earlier }: Awaited<ReturnType<typeof verifyAndRecord>>,
  anchors: number,
): string {
  const since = earlier?.hash
    ? `, and still hold entry ${earlier.number}, which was the last one at the verification of ${time(String(earlier.atMs))}`
    : "";
  const proved = `Proved: entries 1 to ${entries} are unchanged and without a gap${since}.\n`;
  if (anchors > 0) return entries > 0 ? proved : "";
  return (
    `${entries > 0 ? proved : ""}Not proved: that no entries were lost with the whole database, or by one who changes every table. No anchor was checked.\n` +
    "Keep the head above, and pass it as --anchor the next time.\n"
  );
}

function addLink(text: string, before: ChainLink[] = []): ChainLink[] {
  const [link, ...more] = readAnchors(text);
  if (!link || more.length > 0 || anchorText(link) !== text) {
    throw new InvalidArgumentError("Write the anchor as audit verify prints it.");
  }
  return [...before, link];
}

function addLinksOf(path: string, before: ChainLink[] = []): ChainLink[] {
  if (!existsSync(path)) throw new InvalidArgumentError("There is no such file.");
  const links = readAnchorFile(path);
  if (links.length === 0) throw new InvalidArgumentError("There is no anchor in this file.");
  return [...before, ...links];
}
