// Suspense items as the console shows them, with the payouts that each may be about.

import {
  candidatesOf,
  findSuspense,
  fundingCandidatesOf,
  listSuspenseActs,
  type NamedSuspense,
} from "../../../banking/answers/index.ts";
import { listConnections } from "../../../banking/connections/index.ts";
import { suspenseReasons } from "../../../banking/readers/index.ts";
import { maskedNumber } from "../../../people/person/index.ts";
import { toSum } from "../../../platform/base/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { findSubaccounts } from "../../../tenants/subaccounts/index.ts";
import { type ConnectionNames, connectionNames } from "../bank-inbound/inbound.ts";
import { ageDaysOf } from "../statements/exceptions.ts";
import type { SuspenseDetail, SuspenseLine } from "./schema.ts";

export async function presentSuspenseRows(db: Runner, rows: NamedSuspense[], nowMs: number) {
  const names = await connectionNames(db);
  return rows.map((row) => presentSuspense(row, names, nowMs));
}

function presentSuspense(row: NamedSuspense, names: ConnectionNames, nowMs: number): SuspenseLine {
  const { id, status, kind, code, bank_text, reference, day, currency, is_booked, file_id } = row;
  return {
    id,
    connection_name: names.get(row.connection_id) ?? "",
    status,
    kind,
    reason: suspenseReasons[row.reason],
    code,
    bank_text,
    reference,
    day,
    age_days: ageDaysOf(day, nowMs),
    party: row.party,
    account: row.account_tail === "" ? "" : maskedNumber(row.account_tail),
    amount: row.amount === null ? null : toSum(BigInt(row.amount)),
    currency,
    is_booked,
    file_id,
    created_at: Number(row.created_at_ms),
  };
}

export async function findSuspenseDetail(
  db: Runner,
  id: string,
  nowMs: number,
): Promise<SuspenseDetail> {
  const item = await findSuspense(db, id);
  if (!item) throw new Refusal("BANK411");
  const candidates = item.status === "open" ? await candidatesOf(db, item) : [];
  const ids = [...new Set(candidates.map(({ subaccount_id }) => subaccount_id))];
  const subaccounts = new Map((await findSubaccounts(db, ids)).map((one) => [one.id, one.name]));
  const funded = item.status === "open" ? await fundingCandidatesOf(db, item) : [];
  const acts = await listSuspenseActs(db, id);
  const connections = await listConnections(db);
  const connection = connections.find((one) => one.id === item.connection_id);
  return {
    ...presentSuspense(item, new Map(connections.map((one) => [one.id, one.name])), nowMs),
    mode: connection?.mode ?? "",
    subaccount_ids: connection?.subaccount_ids ?? null,
    parent_id: item.parent_id,
    candidates: candidates.map((one) => ({
      subaccount_id: one.subaccount_id,
      subaccount_name: subaccounts.get(one.subaccount_id) ?? "",
      payout_id: one.payout_id,
      stage: one.stage,
      amount: toSum(BigInt(one.amount)),
      currency: one.currency,
      process_date: one.process_date,
      reference: one.file_reference,
      account: maskedNumber(one.account_number_tail),
      reasons: one.reasons,
    })),
    subaccounts: funded.map(({ subaccountId, name, reasons }) => ({
      id: subaccountId,
      name,
      reasons,
    })),
    acts: acts.map(({ at_ms, ...act }) => ({ ...act, at: Number(at_ms) })),
  };
}
