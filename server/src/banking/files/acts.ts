// What users and commands do with a bank file: freeze, read, approve, download, send or discard it.

import Type from "typebox";
import type { AddressPolicy } from "../../platform/addresses/index.ts";
import type { Runner } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { idField, input, line, optional, required } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type ActParts, act, call } from "../../tenants/acts/index.ts";
import { audited } from "../../tenants/audit/index.ts";
import { type BankConnection, openWindow, requireConnection } from "../connections/index.ts";
import { readFilePart } from "./batch-file.ts";
import { findBatch } from "./batch-queries.ts";
import { freezeBatches } from "./freeze.ts";
import {
  approveBatch,
  discardBatch,
  downloadBatch,
  notAtTheBank,
  recordRead,
  recordSent,
} from "./release.ts";
import { ApprovedBatch, DiscardedBatch, FrozenBatches, RawText } from "./schema.ts";
import { sendNow } from "./send.ts";

const object = "bank_batch";
const releasing = {
  object,
  may: "banks.release",
  stepUp: true,
  doors: ["console", "cli"],
} as const;
const approving = { ...releasing, may: "banks.approve" } as const;

const id = idField("BANK101");
const OneBatch = input({ id });

/** No batches: no payout waits. Each file is a transaction of its own. */
export const freezeBank = call({
  ...releasing,
  name: "bank-batch.freeze",
  summary: "write the file of a bank connection now, with all payouts of its process date",
  stepUp: false,
  input: input({ id: idField("BANK102") }),
  output: FrozenBatches,
  async perform({ db, seal, clock }: ActParts, { actor }, { id }) {
    const connection = await requireConnection({ db, seal }, id);
    const atMs = clock();
    const noted = audited({ db, seal }, actor).db<string | undefined>((batchId) =>
      batchId === undefined
        ? undefined
        : { action: "bank-batch.freeze", object: { kind: object, id: batchId } },
    );
    const freezing = { who: actor.who, atMs, window: openWindow(connection, atMs) };
    return { batch_ids: await freezeBatches({ db: noted, seal }, connection, freezing) };
  },
});

export const viewFile = act({
  ...approving,
  name: "bank-batch.view",
  tokens: "logins",
  summary: "read a part of the file as it is, with whole account numbers",
  doors: ["console"],
  input: input({ id, part: required(Type.Integer({ minimum: 0, maximum: 100_000 })) }),
  output: RawText,
  async run({ tx, seal, atMs }, { id, part }) {
    await recordRead(tx, id, atMs);
    const text = await readFilePart({ db: tx, seal }, id, part);
    if (text === undefined) throw new Refusal("CONS110");
    const next = await readFilePart({ db: tx, seal }, id, part + 1);
    return { result: { text, part, has_next: next !== undefined }, id, after: { part } };
  },
});

export const approveFile = act({
  ...approving,
  name: "bank-batch.approve",
  tokens: "logins",
  summary: "approve the bytes of a file, by their hash",
  twoPeople: "Approve a bank file",
  input: input({
    id,
    sha256: required(Type.String({ pattern: "^[0-9a-fA-F]{64}$" })),
  }),
  output: ApprovedBatch,
  async run({ tx, seal, who, atMs }, { id, sha256 }) {
    const { row } = await connectionOf({ db: tx, seal }, id);
    const missing = await approveBatch(tx, { id, row }, { who, atMs, sha256 });
    return { result: { approvals_missing: missing }, id, after: { sha256 } };
  },
});

/** Committed before the first byte leaves: from then on the file may be at the bank. */
export const downloadFile = act({
  ...releasing,
  name: "bank-batch.download",
  tokens: "logins",
  summary: "write an approved file, to upload it at the bank",
  input: OneBatch,
  async run({ tx, who, atMs }, { id }) {
    const row = await downloadBatch(tx, id, { who, atMs });
    return { result: row, id, after: { sha256: row.file_sha256 } };
  },
});

/** The entry comes first: what has left stays, whatever happens afterwards. */
export const sendFile = call({
  ...releasing,
  name: "bank-batch.send",
  summary: "send an approved file by SFTP now, for a bank connection that travels by sftp",
  doors: ["cli"],
  input: input({ id, confirm: optional(Type.String()) }),
  async perform(parts: ActParts & { addresses: AddressPolicy }, { actor }, { id, confirm }) {
    const connection = await connectionOf(parts, id);
    if (confirm !== undefined && confirm !== notAtTheBank) throw new Refusal("BANK304");
    await audited(parts, actor).transaction(
      { action: "bank-batch.send", object: { kind: object, id }, after: { confirm } },
      async () => {},
    );
    const sending = { id, who: actor.who, isConfirmed: confirm === notAtTheBank };
    return sendNow({ ...parts, log: { info() {}, warn() {} } }, connection, sending);
  },
});

export const recordFileSent = act({
  ...releasing,
  name: "bank-batch.sent",
  summary: "record that the bank has the file, so that its payouts are in progress",
  input: input({
    id,
    bank_reference: optional(
      Type.String({
        maxLength: 100,
        pattern: line,
        description: "the bank's reference of the upload",
      }),
    ),
  }),
  async run({ tx, seal, who, atMs }, { id, bank_reference: bankReference = "" }) {
    const connection = await connectionOf({ db: tx, seal }, id);
    await recordSent(tx, connection, { id, bankReference, who, atMs });
    return { result: undefined, id, after: { bankReference } };
  },
});

export const discardFile = act({
  ...releasing,
  name: "bank-batch.discard",
  tokens: "logins",
  summary: "put the payouts of a file that is not at the bank back into the queue",
  twoPeople: "Discard a bank file that may have left",
  input: input({ id, words: optional(Type.String({ maxLength: 40 })) }),
  output: DiscardedBatch,
  async run({ tx, seal, who, atMs }, { id, words }) {
    const connection = await connectionOf({ db: tx, seal }, id);
    const outcome = await discardBatch(tx, connection, { id, words, who, atMs });
    return { result: { outcome }, id, after: { outcome } };
  },
});

async function connectionOf(
  parts: { db: Runner; seal: Seal },
  batchId: string,
): Promise<BankConnection> {
  const batch = await findBatch(parts.db, batchId);
  if (!batch) throw new Refusal("BANK101");
  return requireConnection(parts, batch.connection_id);
}
