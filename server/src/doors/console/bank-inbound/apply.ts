// A user applies a file from a bank. It claims that money came or went, and a user could have written it: a file of a live
// connection changes nothing until a second user has confirmed its sums.

import { createHash } from "node:crypto";
import type { InboundFileRow } from "../../../banking/answers/index.ts";
import { requireConnection } from "../../../banking/connections/index.ts";
import { type AppliedInbound, applyInbound } from "../../../banking/inbound-files/index.ts";
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
} from "../../../banking/requests/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { type Actor, type AuditNote, audited } from "../../../tenants/audit/index.ts";
import type { WriteParts } from "../write-parts.ts";
import { connectionNames, presentInboundFile } from "./inbound.ts";
import type { AppliedFile } from "./schema.ts";

type FileFromBank = { name: string; content: string; connectionId: string | undefined };
type FileInput = Omit<FileFromBank, "content">;

/** Thrown at the end of the transaction, so that all of it is rolled back. */
class OnlyTried extends Error {
  readonly applied: AppliedInbound;
  constructor(applied: AppliedInbound) {
    super("the file was tried, and not applied");
    this.applied = applied;
  }
}

/** The same file a second time changes nothing. */
export async function applyByUser(
  parts: WriteParts,
  actor: Actor,
  { name, content, connectionId }: FileFromBank,
): Promise<AppliedFile> {
  const { db, seal, clock } = parts;
  const connection = connectionId ? await requireConnection({ db, seal }, connectionId) : undefined;
  const bytes = Buffer.from(content, "base64");
  const by = { who: actor.who, atMs: clock() };
  const noted = audited({ db, seal }, actor).db<InboundFileRow>(noteOfFile);
  try {
    const { file, isNew } = await applyInbound({ db: noted, seal }, bytes, {
      name,
      connection,
      ...by,
      async atEnd(_tx, applied) {
        if (applied.connections.some(({ row }) => row.mode === "live"))
          throw new OnlyTried(applied);
      },
    });
    const shown = presentInboundFile(file, await connectionNames(db));
    return { file: shown, is_new: isNew, request_id: null };
  } catch (error) {
    if (!(error instanceof OnlyTried)) throw error;
    const requestId = await requestFile(parts, actor, {
      applied: error.applied,
      input: { name, connectionId },
      bytes,
      ...by,
    });
    return { file: null, is_new: true, request_id: requestId };
  }
}

function noteOfFile({ id, name, sha256, lines, suspended }: InboundFileRow): AuditNote {
  return {
    action: "bank-file.inbound",
    object: { kind: "bank_inbound_file", id },
    after: { name, sha256, lines, suspended },
  };
}

type FileRequest = {
  applied: AppliedInbound;
  input: FileInput;
  bytes: Buffer;
  who: string;
  atMs: number;
};

function requestFile(
  { db, seal }: WriteParts,
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
  { db, seal, clock }: WriteParts,
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
