// disburse bank-batches list | freeze | approve | download | send | sent | discard; recalls are in bank-recalls.ts

import type { Command } from "commander";
import { openWindow } from "../../banking/connections/index.ts";
import {
  approveBatch,
  type BankBatchRow,
  batchStatuses,
  discardBatch,
  downloadBatch,
  findBatch,
  findSends,
  freezeBatches,
  listBatches,
  notAtTheBank,
  openStatuses,
  readFile,
  recordSent,
  sendNow,
} from "../../banking/files/index.ts";
import { format, isUuid, newestId, systemClock } from "../../platform/base/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { CliError, configuration, exitCodes } from "../setup/index.ts";
import { type BankContext, type BankOptions, withBankContext } from "./bank-context.ts";
import { addRecallCommands } from "./bank-recalls.ts";
import { byOption } from "./command-actor.ts";
import { writeNewFile } from "./new-file.ts";
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

  const freeze = batches
    .command("freeze <bank>")
    .description("write the file of a bank connection now, with all payouts of its process date")
    .option("--json", "print JSON");
  byOption(freeze).action((name: string, options: BankOptions) =>
    withBankContext("bank-batches freeze", options, async (context) => {
      const { db, seal, actor, audit } = context;
      const connection = await context.connection(name);
      const atMs = Date.now();
      const freezing = { who: actor.who, atMs, window: openWindow(connection, atMs) };
      const auditedDb = audit.db<string | undefined>((id) =>
        id === undefined ? undefined : { action: "bank-batch.freeze", object: objectOf(id) },
      );
      const ids = await freezeBatches({ db: auditedDb, seal }, connection, freezing);
      const rows = await Promise.all(ids.map((id) => findBatch(db, id)));
      print(
        rows.map((row) => describe(row as BankBatchRow)),
        options,
      );
    }),
  );

  const approve = batches
    .command("approve <batch>")
    .description("approve the bytes of a file, by their hash")
    .requiredOption("--sha256 <hex>", "the hash that you have seen", readLine(64))
    .option("--json", "print JSON");
  byOption(approve).action((id: string, options: BankOptions & { sha256: string }) =>
    withBatch("bank-batches approve", id, options, async (context, batch) => {
      const { row } = await context.connection(batch.connection_id);
      const { sha256 } = options;
      const { who } = context.actor;
      const missing = await context.audit.transaction(
        { action: "bank-batch.approve", object: objectOf(batch.id), after: { sha256 } },
        (tx) => approveBatch(tx, { id: batch.id, row }, { who, atMs: Date.now(), sha256 }),
      );
      print({ id: batch.id, approvals_missing: missing }, options);
    }),
  );

  const download = batches
    .command("download <batch>")
    .description("write an approved file, to upload it at the bank")
    .option("--to <file>", "where to; the file's own name if absent, - for standard output")
    .option("--json", "print JSON");
  byOption(download).action((id: string, options: BankOptions & { to?: string }) =>
    withBatch("bank-batches download", id, options, async (context, batch) => {
      const { who } = context.actor;
      await context.audit.transaction(
        {
          action: "bank-batch.download",
          object: objectOf(batch.id),
          after: { sha256: batch.file_sha256 },
        },
        (tx) => downloadBatch(tx, batch.id, { who, atMs: Date.now() }),
      );
      const to = options.to ?? batch.file_name;
      await writeNewFile(to, readFile(context, batch.id));
      if (to === "-") return;
      print({ id: batch.id, file: to, sha256: batch.file_sha256 }, options);
    }),
  );

  const send = batches
    .command("send <batch>")
    .description("send an approved file by SFTP now, for a bank connection that travels by sftp")
    .option(
      "--confirm <words>",
      `also if it is late, was downloaded or has vanished: "${notAtTheBank}"`,
    )
    .option("--json", "print JSON");
  byOption(send).action((id: string, options: BankOptions & { confirm?: string }) =>
    withBatch("bank-batches send", id, options, async (context, batch) => {
      const connection = await context.connection(batch.connection_id);
      const { who } = context.actor;
      const { confirm } = options;
      if (confirm !== undefined && confirm !== notAtTheBank) throw new Refusal("BANK304");
      await context.audit.transaction(
        { action: "bank-batch.send", object: objectOf(batch.id), after: { confirm } },
        async () => {},
      );
      const parts = {
        db: context.db,
        seal: context.seal,
        addresses: configuration().postbackAddresses,
        clock: systemClock,
        log: { info() {}, warn() {} },
      };
      const isConfirmed = confirm === notAtTheBank;
      const { outcome, problem } = await sendNow(parts, connection, {
        id: batch.id,
        who,
        isConfirmed,
      });
      if (problem !== "") throw new CliError(`The file was not sent. ${problem}.`);
      print({ id: batch.id, status: "sent", outcome }, options);
    }),
  );

  const sent = batches
    .command("sent <batch>")
    .description("record that the bank has the file, so that its payouts are in progress")
    .option("--bank-reference <text>", "the bank's reference of the upload", readLine(100), "")
    .option("--json", "print JSON");
  byOption(sent).action((id: string, options: BankOptions & { bankReference: string }) =>
    withBatch("bank-batches sent", id, options, async (context, batch) => {
      const connection = await context.connection(batch.connection_id);
      const { bankReference } = options;
      const { who } = context.actor;
      await context.audit.transaction(
        { action: "bank-batch.sent", object: objectOf(batch.id), after: { bankReference } },
        (tx) => recordSent(tx, connection, { id: batch.id, bankReference, who, atMs: Date.now() }),
      );
      print({ id: batch.id, status: "sent" }, options);
    }),
  );

  const discard = batches
    .command("discard <batch>")
    .description("put the payouts of a file that is not at the bank back into the queue")
    .option("--confirm <words>", `for a file that was downloaded: "${notAtTheBank}"`)
    .option("--json", "print JSON");
  byOption(discard).action((id: string, options: BankOptions & { confirm?: string }) =>
    withBatch("bank-batches discard", id, options, async (context, batch) => {
      const connection = await context.connection(batch.connection_id);
      const { who } = context.actor;
      const outcome = await context.audit.transaction(
        { action: "bank-batch.discard", object: objectOf(batch.id) },
        (tx) =>
          discardBatch(tx, connection, {
            id: batch.id,
            words: options.confirm,
            who,
            atMs: Date.now(),
          }),
      );
      print({ id: batch.id, outcome }, options);
    }),
  );
}

const objectOf = (id: string) => ({ kind: "bank_batch", id });

async function withBatch(
  purpose: string,
  id: string,
  options: BankOptions,
  work: (context: BankContext, batch: BankBatchRow) => Promise<void>,
): Promise<void> {
  await withBankContext(purpose, options, async (context) => {
    const batch = isUuid(id) ? await findBatch(context.db, id) : undefined;
    if (!batch) throw new CliError(`There is no bank batch ${id}.`, exitCodes.notFound);
    await work(context, batch);
  });
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
