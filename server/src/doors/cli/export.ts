// disburse export: everything as JSON lines, for a warehouse

import { type Command, InvalidArgumentError } from "commander";
import { readCursor, systemClock, writeCursor } from "../../platform/base/index.ts";
import { audited } from "../../tenants/audit/index.ts";
import { type ExportKind, exportKinds, findExportEnd, writeExport } from "../exports/index.ts";
import { byOption, commandActor } from "./command-actor.ts";
import { withDatabase } from "./database.ts";
import { writeNewFile } from "./new-file.ts";
import { readUuid } from "./option-values.ts";

type ExportOptions = {
  after?: string;
  kinds: ExportKind[];
  subaccount?: string;
  out: string;
  by?: string;
};

export function addExportOptions(command: Command): void {
  command
    .option(
      "--after <cursor>",
      "continue after an earlier export: the cursor of its last line",
      readAfter,
    )
    .option("--kinds <kinds>", `a list of ${exportKinds.join(",")}`, readKinds, exportKinds)
    .option("--subaccount <id>", "only of this subaccount", readUuid)
    .option("--out <file>", "write to this file; `-` is the standard output", "-");
  byOption(command).action((options: ExportOptions) =>
    withDatabase("export", async ({ db, seal }) => {
      const { kinds, after: afterId, subaccount: subaccountId } = options;
      const endId = await findExportEnd(db, systemClock);
      const actor = {
        ...(await commandActor(db, options.by)),
        ...(subaccountId && { subaccountId }),
      };
      const note = {
        action: "export.write",
        object: { kind: "export", id: writeCursor(endId) },
        after: { kinds: kinds.join(","), after: afterId ? writeCursor(afterId) : "" },
      };
      // It holds names and addresses, so the audit log has it before the first line is written.
      await audited({ db, seal }, actor).transaction(note, async () => {});
      await writeNewFile(
        options.out,
        writeExport({ db, seal }, { kinds, afterId, subaccountId }, endId),
      );
    }),
  );
}

function readAfter(text: string): string {
  const id = readCursor(text);
  if (id === undefined) throw new InvalidArgumentError("Give the cursor of an export's last line.");
  return id;
}

function readKinds(text: string): ExportKind[] {
  const named = text.split(",");
  const unknown = named.filter((kind) => !(exportKinds as string[]).includes(kind));
  if (unknown.length > 0) throw new InvalidArgumentError(`Give some of ${exportKinds.join(",")}.`);
  return exportKinds.filter((kind) => named.includes(kind));
}
