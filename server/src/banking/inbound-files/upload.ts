// A user or a command applies a file from a bank. It claims that money came or went, and a user could have written it: a
// file of a live connection that a user uploads changes nothing until a second user has confirmed its sums.

import { createHash } from "node:crypto";
import Type from "typebox";
import { input, line, optional, required, requiredOfUsers } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type ActBy, type ActParts, call } from "../../tenants/acts/index.ts";
import { type Actor, type AuditNote, audited } from "../../tenants/audit/index.ts";
import type { InboundFileRow } from "../answers/index.ts";
import { requireConnection } from "../connections/index.ts";
import {
  type BankRequestRow,
  type BankRequestSummary,
  lockToConfirm,
  noteOf,
  readRequestBytes,
  readRequestInput,
  storeBankRequest,
  summaryHashOf,
  updateBankRequestDecided,
  updateBankRequestSummary,
} from "../requests/index.ts";
import { type AppliedInbound, applyInbound } from "./inbound.ts";

type FileInput = { name: string; connectionId: string | undefined };

/** Thrown at the end of the transaction, so that all of it is rolled back. */
class OnlyTried extends Error {
  readonly applied: AppliedInbound;
  constructor(applied: AppliedInbound) {
    super("the file was tried, and not applied");
    this.applied = applied;
  }
}

type UploadedFile = {
  /** Undefined: it waits for a second user. */
  file?: InboundFileRow;
  /** False: it was applied before, and nothing has changed. */
  isNew: boolean;
  requestId?: string;
};

/** Commands give the bytes of the file, because it may be large. */
export const applyBankFile = call({
  name: "bank-file.inbound",
  summary: "apply a file from a bank: returns, rejections, acknowledgements",
  object: "bank_inbound_file",
  may: "banks.release",
  stepUp: true,
  twoPeople: "Apply a file from a bank that a user uploads",
  doors: ["console", "cli"],
  input: input({
    name: required(Type.String({ minLength: 1, maxLength: 200, pattern: line })),
    content: requiredOfUsers(
      Type.String({
        pattern: "^[A-Za-z0-9+/]*={0,2}$",
        description: "The bytes of the file, in base64",
      }),
    ),
    connection_id: optional(Type.String({ format: "uuid" })),
  }),
  async perform(
    parts: ActParts & { bytes?: Uint8Array },
    { actor }: ActBy,
    { name, content = "", connection_id: connectionId },
  ): Promise<UploadedFile> {
    const { db, seal, clock, bytes = Buffer.from(content, "base64") } = parts;
    const connection = connectionId
      ? await requireConnection({ db, seal }, connectionId)
      : undefined;
    const by = { who: actor.who, atMs: clock() };
    const noted = audited({ db, seal }, actor).db<InboundFileRow>(noteOfFile);
    try {
      return await applyInbound({ db: noted, seal }, bytes, {
        name,
        connection,
        ...by,
        async atEnd(_tx, applied) {
          const isLive = applied.connections.some(({ row }) => row.mode === "live");
          if (isLive && actor.kind !== "command") throw new OnlyTried(applied);
        },
      });
    } catch (error) {
      if (!(error instanceof OnlyTried)) throw error;
      const given = { applied: error.applied, input: { name, connectionId }, bytes, ...by };
      return { isNew: true, requestId: await requestFile(parts, actor, given) };
    }
  },
});

export function noteOfFile({ id, ...file }: InboundFileRow): AuditNote {
  const { name, format, connection_name: bank, sha256 } = file;
  const { lines, applied, noted, suspended, repeated } = file;
  return {
    action: "bank-file.inbound",
    object: { kind: "bank_inbound_file", id },
    after: { name, format, bank, sha256, lines, applied, noted, suspended, repeated },
  };
}

type FileRequest = {
  applied: AppliedInbound;
  input: FileInput;
  bytes: Uint8Array;
  who: string;
  atMs: number;
};

function requestFile(
  { db, seal }: ActParts,
  actor: Actor,
  { applied, input, bytes, ...by }: FileRequest,
): Promise<string> {
  const summary = summaryOf(applied);
  return audited({ db, seal }, actor).transaction<string>(
    (id) => ({ action: "bank-request.ask", ...noteOf(id, { kind: "file", summary }) }),
    (tx) =>
      storeBankRequest(
        { tx, seal },
        {
          kind: "file",
          connectionId: applied.file.connection_id,
          objectId: createHash("sha256").update(bytes).digest("hex"),
          summary,
          input,
          bytes,
          ...by,
        },
      ),
  );
}

function summaryOf({ file, sums }: AppliedInbound): BankRequestSummary {
  const { name, lines, applied, noted, suspended, repeated } = file;
  const counts = { lines, applied, noted, suspended, repeated };
  return { name, act: "apply", counts, sums: [...sums], changes: [] };
}

/** It does now something else than the second user was shown. */
class SumsMoved extends Error {
  readonly summary: BankRequestSummary;
  constructor(summary: BankRequestSummary) {
    super("the sums are no longer those that were shown");
    this.summary = summary;
  }
}

/** Applies a waiting file, if it still does what the second user was shown. */
export async function confirmFile(
  { db, seal, clock }: ActParts,
  actor: Actor,
  request: BankRequestRow,
  seen: string,
): Promise<void> {
  const { id, made_by } = request;
  const input = readRequestInput(request, seal) as FileInput | undefined;
  if (!input) throw new Refusal("BANK503");
  const { name, connectionId } = input;
  const by = { who: actor.who, atMs: clock() };
  const noted = audited({ db, seal }, actor).db<InboundFileRow>((file) => [
    noteOfFile(file),
    { action: "bank-request.confirm", ...noteOf(id, request) },
  ]);
  try {
    const { isNew } = await applyInbound(
      { db: noted, seal },
      await readRequestBytes({ db, seal }, id),
      {
        name,
        connection: connectionId ? await requireConnection({ db, seal }, connectionId) : undefined,
        who: made_by,
        confirmedBy: actor.who,
        atMs: by.atMs,
        async atEnd(tx, applied) {
          await lockToConfirm(tx, { id, seen }, by);
          const summary = summaryOf(applied);
          if (summaryHashOf(summary) !== seen) throw new SumsMoved(summary);
          await updateBankRequestDecided(tx, id, { status: "applied", ...by });
        },
      },
    );
    if (isNew) return;
  } catch (error) {
    if (!(error instanceof SumsMoved)) throw error;
    const { summary } = error;
    await updateBankRequestSummary(db, id, { summary, sha256: summaryHashOf(summary) });
    throw new Refusal("BANK505");
  }
  throw new Refusal("CONS401", { message: "The same file was applied already: decline this one" });
}
