// Statements of banks and their lines as the console shows them, with what each line was matched with or may be.

import {
  findLine,
  type LineSuggestion,
  listMatches,
  type StatementLineRow,
  suggestFor,
} from "../../../banking/statements/index.ts";
import { maskedNumber } from "../../../people/person/index.ts";
import { toSum } from "../../../platform/base/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { type ConnectionNames, connectionNames } from "../bank-inbound/inbound.ts";
import { findBatchNames, findOpenItem, findStatement, type StatementHead } from "./queries.ts";
import type {
  BankLine,
  BankLineDetail,
  BankStatement,
  OpenLine,
  SuggestedMatch,
} from "./schema.ts";

const sumOrNull = (amount: string | null) => (amount === null ? null : toSum(BigInt(amount)));

export async function presentStatements(db: Runner, rows: StatementHead[]) {
  const names = await connectionNames(db);
  return rows.map((row) => presentStatement(row, names));
}

function presentStatement(row: StatementHead, names: ConnectionNames): BankStatement {
  const { id, connection_id, kind, bank_id, currency, from_day, to_day, lines, repeated } = row;
  return {
    id,
    connection_id,
    connection_name: names.get(connection_id) ?? "",
    kind,
    bank_id,
    currency,
    from_day,
    to_day,
    opening: sumOrNull(row.opening),
    closing: sumOrNull(row.closing),
    lines,
    repeated,
    file_id: row.file_id,
    file_name: row.file_name,
    received_at: Number(row.received_at_ms),
  };
}

export async function findBankStatement(db: Runner, id: string): Promise<BankStatement> {
  const found = await findStatement(db, id);
  if (!found) throw new Refusal("CONS110");
  return presentStatement(found, await connectionNames(db));
}

export function presentBankLine(row: StatementLineRow): BankLine {
  const { id, connection_id, statement_id, number, day, value_day, currency, status, code } = row;
  return {
    id,
    connection_id,
    statement_id,
    number,
    day,
    value_day,
    amount: toSum(BigInt(row.amount)),
    currency,
    status,
    code,
    party: row.party,
    account: row.account_tail === "" ? "" : maskedNumber(row.account_tail),
    reference: row.reference,
    bank_text: row.bank_text,
    bank_reference: row.bank_reference,
  };
}

/** With what each may be. */
export async function presentOpenLines(db: Runner, rows: StatementLineRow[]): Promise<OpenLine[]> {
  const suggested: LineSuggestion[][] = [];
  for (const row of rows) suggested.push(await suggestFor(db, row));
  const names = await batchNamesOf(db, suggested.flat());
  return rows.map((row, index) => ({
    ...presentBankLine(row),
    suggestions: (suggested[index] ?? []).map((one) => presentSuggestion(one, names)),
  }));
}

type BatchNames = ReadonlyMap<string, string>;

function batchNamesOf(db: Runner, suggestions: readonly LineSuggestion[]): Promise<BatchNames> {
  const ids = suggestions.flatMap(({ batchId }) => batchId ?? []);
  return findBatchNames(db, [...new Set(ids)]);
}

function presentSuggestion(
  { rule, kind, batchId, payoutId, subaccountId, reasons }: LineSuggestion,
  names: BatchNames,
): SuggestedMatch {
  return {
    rule,
    kind,
    batch_id: batchId ?? null,
    batch_name: batchId === undefined ? null : (names.get(batchId) ?? null),
    payout_id: payoutId ?? null,
    subaccount_id: subaccountId ?? null,
    reasons,
  };
}

export async function findLineDetail(db: Runner, id: string): Promise<BankLineDetail> {
  const row = await findLine(db, id);
  if (!row) throw new Refusal("BANK471");
  const suggestions = await suggestFor(db, row);
  const matches = await listMatches(db, id);
  const names = await findBatchNames(db, [
    ...suggestions.flatMap(({ batchId }) => batchId ?? []),
    ...matches.flatMap(({ batch_id }) => batch_id ?? []),
  ]);
  return {
    ...presentBankLine(row),
    connection_name: (await connectionNames(db)).get(row.connection_id) ?? "",
    repeats_id: row.repeats_id,
    suspense_id: await suspenseOf(db, row),
    suggestions: suggestions.map((one) => presentSuggestion(one, names)),
    matches: matches.map((match) => ({
      id: match.id,
      kind: match.kind,
      rule: match.rule,
      reason: match.reason,
      amount: toSum(BigInt(match.amount)),
      batch_id: match.batch_id,
      batch_name: match.batch_id === null ? null : (names.get(match.batch_id) ?? null),
      subaccount_id: match.subaccount_id,
      payout_id: match.payout_id,
      is_undone: match.is_undone,
      made_by: match.made_by,
      at: Number(match.at_ms),
    })),
  };
}

async function suspenseOf(db: Runner, row: StatementLineRow): Promise<string | null> {
  const { status, report_number: number, connection_id: connectionId } = row;
  const statement = await findStatement(db, row.statement_id);
  if (status !== "suspended" || number === null || !statement) return null;
  const report = { connectionId, fileId: statement.file_id, number };
  return (await findOpenItem(db, report)) ?? null;
}
