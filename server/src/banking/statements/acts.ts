// What users do about statements: their lines, exceptions, the opening balance, closing a month.

import Type from "typebox";
import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import {
  idField,
  idInBody,
  input,
  line,
  monthPattern,
  optional,
  required,
} from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type ActBy, type ActParts, act, call } from "../../tenants/acts/index.ts";
import { listConnections, requireConnection, toConnection } from "../connections/index.ts";
import { decideOrRequest, decisionReason } from "../requests/index.ts";
import { closeBankMonth } from "./close-month.ts";
import { addExceptionNote } from "./exception-queries.ts";
import { listExceptions } from "./exceptions.ts";
import { type LinesInput, lineDecisions } from "./line-decision.ts";
import { openingDecision } from "./opening.ts";

const doors = ["console", "cli"] as const;
const ofLines = {
  object: "bank_statement_line",
  may: "banks.release",
  stepUp: true,
  twoPeople: "Match a line of a statement, give it to the company, or undo that",
  doors,
} as const;
const reason = decisionReason;
const line_ids = required(Type.Array(idInBody("BANK471"), { minItems: 1, maxItems: 200 }));
const targetIds = optional(Type.Array(idInBody("BANK473"), { maxItems: 200 }));

/** All lines or none. Returns the request, if a second user has to confirm it. */
function decide(parts: ActParts, { actor }: ActBy, given: LinesInput): Promise<string | undefined> {
  return decideOrRequest(parts, actor, lineDecisions, given);
}

export const matchStatementLines = call({
  ...ofLines,
  name: "statement-line.match",
  summary: "these lines paid these payouts and bank batches, which come to the same amount",
  input: input({ line_ids, payout_ids: targetIds, batch_ids: targetIds, reason }),
  perform(
    parts: ActParts,
    by: ActBy,
    { line_ids: lineIds, payout_ids: payoutIds = [], batch_ids: batchIds = [], reason },
  ) {
    return decide(parts, by, { lineIds, reason, decision: { act: "match", payoutIds, batchIds } });
  },
});

export const giveStatementLinesToCompany = call({
  ...ofLines,
  name: "statement-line.company",
  summary: "the lines are the company's own: what the bank charges, or money it put in or took out",
  input: input({ line_ids, reason }),
  perform: (parts: ActParts, by: ActBy, { line_ids: lineIds, reason }) =>
    decide(parts, by, { lineIds, reason, decision: { act: "company" } }),
});

export const decideStatementRepetition = call({
  ...ofLines,
  name: "statement-line.repetition",
  summary: "the lines repeat earlier ones: they stay out of the books",
  input: input({
    line_ids,
    /** False: they are new. */
    is_repeated: required(Type.Boolean()),
    reason,
  }),
  perform: (parts: ActParts, by: ActBy, { line_ids: lineIds, is_repeated: isRepeated, reason }) =>
    decide(parts, by, { lineIds, reason, decision: { act: "repetition", isRepeated } }),
});

export const undoStatementLine = call({
  ...ofLines,
  name: "statement-line.undo",
  summary: "open a matched line again, by a new entry; one that repeats another is in doubt again",
  input: input({ id: idField("BANK471"), reason }),
  perform: (parts: ActParts, by: ActBy, { id, reason }) =>
    decide(parts, by, { lineIds: [id], reason, decision: { act: "undo" } }),
});

const connection = { object: "bank_connection", stepUp: true, doors } as const;
const id = idField("BANK102");

export const takeOpening = call({
  ...connection,
  name: "bank-opening.take",
  summary: "take the balance before the first statement into the books, as the company's money",
  may: "banks.release",
  twoPeople: "Take the balance before the first statement into the books, as the company's money",
  input: input({ id }),
  async perform(parts: ActParts, { actor }: ActBy, { id: connectionId }) {
    let amount = 0n;
    const decision = openingDecision((taken) => {
      amount = taken;
    });
    const requestId = await decideOrRequest(parts, actor, decision, { connectionId });
    return { request_id: requestId ?? null, amount };
  },
});

export const closeBankMonthAct = act({
  ...connection,
  name: "bank-month.close",
  summary: "close a month, YYYY-MM, in which the books meet the bank",
  may: "months.close",
  input: input({ id, month: required(Type.String({ pattern: monthPattern })) }),
  async run({ tx, seal, who, atMs }, { id, month }) {
    const connection = await requireConnection({ db: tx, seal }, id);
    const closing = await closeBankMonth(tx, { connection, month, who, atMs });
    const { books, bank, pdf_sha256 } = closing;
    const result = { closing, name: connection.row.name };
    return { result, id, after: { month, books, bank, pdf_sha256 } };
  },
});

const exceptionItem =
  "^(line|suspense|gap|overlap|batch|statement|opening|transfer|report):[0-9a-f-]{36}(:\\d{1,9})?$";

export const noteException = act({
  name: "exception.note",
  summary: "who looks after an exception, and what was found out",
  object: "bank_exception",
  may: "banks.release",
  doors,
  input: input({
    item: required(Type.String({ pattern: exceptionItem })),
    owner: optional(
      Type.String({ maxLength: 200, pattern: line, description: "a user's email address or name" }),
    ),
    note: optional(
      Type.String({ maxLength: 500, pattern: line, description: "what was found out" }),
    ),
  }),
  async run({ tx, seal, who, atMs }, { item, owner = "", note = "" }) {
    if (!(await isException(tx, seal, item, atMs))) throw new Refusal("CONS110");
    await addExceptionNote(tx, item, { owner, note, atMs, who });
    return { result: undefined, id: item, after: { owner } };
  },
});

/** Of any connection whose settings can be decrypted. */
async function isException(tx: Tx, seal: Seal, item: string, nowMs: number): Promise<boolean> {
  for (const row of await listConnections(tx)) {
    const connection = toConnection(row, seal);
    const found = connection ? await listExceptions(tx, connection, nowMs) : [];
    if (found.some((one) => one.item === item)) return true;
  }
  return false;
}
