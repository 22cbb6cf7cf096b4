// disburse bank-batches list | freeze | approve | download | send | sent | discard; recalls are in bank-recalls.ts

import { type Command, Option } from "commander";
import {
  approveFile,
  type BankBatchRow,
  batchStatuses,
  discardFile,
  downloadFile,
  findBatch,
  findSends,
  freezeBank,
  listBatches,
  notAtTheBank,
  openStatuses,
  readFile,
  recordFileSent,
  sendFile,
} from "../../banking/files/index.ts";
import { format, isUuid, newestId } from "../../platform/base/index.ts";
import type { Fields } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { CliError, configuration, exitCodes } from "../setup/index.ts";
import { actCommand, type Context } from "./act-command.ts";
import { type BankOptions, readBank, withBankContext } from "./bank-context.ts";
import { addRecallCommands } from "./bank-recalls.ts";
import { requireWritable, writeNewFile } from "./new-file.ts";
import { readLine } from "./option-values.ts";
import { print, time } from "./output.ts";

export function addBankBatchCommands(batches: Command): void {
  addRecallCommands(batches);
  batches
    .command("list")
    .description("the newest bank batches")
    .option("--open", "only those that are not sent yet")
    .option("--json", "print JSON")
    .action((options: BankOptions & { open?: boolean }) =>
      withBankContext("bank-batches list", options, async ({ db }) => {
        const rows = await listBatches(db, {
          statuses: options.open ? openStatuses : undefined,
          beforeId: newestId,
          limit: limits.bankBatchesListedMax,
        });
        const sends = await findSends(
          db,
          rows.map(({ id }) => id),
        );
        const shown = rows.map((row) => ({
          ...describe(row),
          send_problem: sends.get(row.id)?.problem ?? "",
        }));
        print(shown, options);
      }),
    );

  actCommand(batches, "freeze <bank>", freezeBank, {
    fields: { bank: "id" },
    read: readBank,
    async show({ batch_ids }, { db }) {
      const rows = await Promise.all(batch_ids.map((id) => findBatch(db, id)));
      return rows.map((row) => describe(row as BankBatchRow));
    },
  });
  actCommand(batches, "approve <batch>", approveFile, {
    ...ofBatch,
    options: [
      new Option("--sha256 <hex>", "the hash that you have seen")
        .argParser(readLine(64))
        .makeOptionMandatory(),
    ],
    show: (result, _, __, { id }) => ({ id, ...result }),
  });
  actCommand(batches, "download <batch>", downloadFile, {
    ...ofBatch,
    options: [
      new Option("--to <file>", "where to; the file's own name if absent, - for standard output"),
    ],
    async read(given, context, { to }) {
      requireWritable(to, Number((await batchOf(given, context)).file_bytes));
      return given;
    },
    async show({ id, file_name, file_sha256 }, context, { to = file_name }) {
      const file = String(to);
      await writeNewFile(file, readFile(context, id));
      return file === "-" ? undefined : { id, file, sha256: file_sha256 };
    },
  });
  actCommand(batches, "send <batch>", sendFile, {
    ...ofBatch,
    options: [
      new Option(
        "--confirm <words>",
        `also if it is late, was downloaded or has vanished: "${notAtTheBank}"`,
      ),
    ],
    parts: () => ({ addresses: configuration().postbackAddresses }),
    show({ outcome, problem }, _, __, { id }) {
      if (problem !== "") throw new CliError(`The file was not sent. ${problem}.`);
      return { id, status: "sent", outcome };
    },
  });
  actCommand(batches, "sent <batch>", recordFileSent, {
    ...ofBatch,
    show: (_result, _, __, { id }) => ({ id, status: "sent" }),
  });
  actCommand(batches, "discard <batch>", discardFile, {
    fields: { ...ofBatch.fields, confirm: "words" },
    options: [new Option("--confirm <words>", `for a file that was downloaded: "${notAtTheBank}"`)],
    read: ofBatch.read,
    show: (result, _, __, { id }) => ({ id, ...result }),
  });
}

/** The batch in the argument. */
const ofBatch = {
  fields: { batch: "id" },
  async read(given: Fields, context: Context) {
    await batchOf(given, context);
    return given;
  },
};

async function batchOf(given: Fields, { db }: Context): Promise<BankBatchRow> {
  const id = String(given.id);
  const batch = isUuid(id) ? await findBatch(db, id) : undefined;
  if (batch) return batch;
  throw new CliError(`There is no bank batch ${id}.`, exitCodes.notFound);
}

function describe(row: BankBatchRow) {
  return {
    id: row.id,
    status: row.status,
    late: batchStatuses[row.status] === "open" && Number(row.cutoff_ms) < Date.now(),
    process_date: row.process_date,
    cutoff: time(row.cutoff_ms),
    payouts: row.payouts,
    total: format(BigInt(row.total), row.currency),
    file: row.file_name,
    sha256: row.file_sha256,
    frozen_by: row.frozen_by,
    approved_by: row.approved_by,
    sent_by: row.sent_by,
    bank_reference: row.bank_reference,
  };
}
