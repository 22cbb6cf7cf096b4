// The lines of the approval queue: each kind of row as the console shows it, who made it, and who may approve it.

import { type BankRequestRow, permissionOfBankRequest } from "../../../banking/requests/index.ts";
import { importLimits, type WaitingBatch } from "../../../money/imports/index.ts";
import {
  makersOf,
  makersOfRequest,
  permissionOf,
  type WaitingPayout,
  type WaitingResolution,
} from "../../../money/payouts/index.ts";
import { type BankChange, makersOfChange } from "../../../people/accounts/index.ts";
import { maskedNumber, payeeOf } from "../../../people/person/index.ts";
import { firstIdOf, type Mode, toNumber, toSum } from "../../../platform/base/index.ts";
import type { WaitingRequest } from "../../../tenants/four-eyes/index.ts";
import type { Permission } from "../../../tenants/roles/index.ts";
import { ruleInWords } from "../payouts/rule-entries.ts";
import { waitingLimits } from "../waiting/waiting-limits.ts";
import type { Approval } from "./schema.ts";

export type Line = Omit<Approval, "subaccount_name" | "mode" | "is_own" | "why_not" | "bank">;

export type Found = {
  line: Line;
  /** Where it is in the order of time, as an id. */
  position: string;
  makers: readonly string[];
  permission: Permission;
  /** Of the company. */
  company?: { name: string; mode: Mode };
  bank?: BankRequestRow;
};

type Made = Pick<Line, "kind" | "id"> & { by: string; atMs: string | number };

/** A line with nothing but who made it, when. It expires, unless its kind does not. */
export function lineOf({ kind, id, by, atMs }: Made): Line {
  const made_at = Number(atMs);
  return {
    kind,
    id,
    subaccount_id: "",
    made_by: by,
    made_at,
    cutoff: null,
    expires_at: made_at + waitingLimits.expiresMs,
    receiver_id: "",
    receiver_name: "",
    account_id: null,
    account_number: "",
    country: "",
    payout: null,
    change: null,
    request: null,
    sums: null,
    file: null,
  };
}

/** A place in time for what has no id that grows with time. Those of one millisecond are in the order of their ids' ends. */
export function positionAt(atMs: string | number, id: string): string {
  return firstIdOf(Number(atMs)).slice(0, -12) + id.slice(-12).padStart(12, "0");
}

export function ofPayout(row: WaitingPayout): Found {
  const { id, created_by: by, created_at_ms: atMs } = row;
  const line: Line = {
    ...lineOf({ kind: "payout", id, by, atMs }),
    subaccount_id: row.subaccount_id,
    receiver_id: row.receiver_id,
    receiver_name: payeeOf(row),
    account_id: row.account_id,
    account_number: maskedNumber(row.account_number_tail),
    country: row.country,
    payout: {
      amount: toNumber(BigInt(row.amount)),
      currency: row.currency,
      reference: row.reference,
      note: row.note,
      batch_id: row.batch_id,
      bank_name: row.bank_name,
      reasons: row.reasons,
      rules: row.rules.map((rule) => ruleInWords(rule, row.currency)),
      approved_by: row.approved_by,
    },
  };
  return { line, position: id, makers: makersOf(row), permission: "payouts.approve" };
}

export function ofBatch(row: WaitingBatch): Found {
  const { id, created_by: by, created_at_ms: atMs } = row;
  const totals = row.totals.map((total) => ({ ...total, amount: toSum(BigInt(total.amount)) }));
  const summed = totals.reduce((sum, { payouts }) => sum + payouts, 0);
  const line: Line = {
    ...lineOf({ kind: "batch", id, by, atMs }),
    subaccount_id: row.subaccount_id,
    sums: { totals, reasons: row.reasons, is_partial: summed >= importLimits.batchSummedMax },
  };
  return { line, position: id, makers: [by], permission: "payouts.approve" };
}

export function ofResolution(row: WaitingResolution): Found {
  const { payout_id: id, proposed_by: by, proposed_at_ms: atMs, outcome, reason } = row;
  const line: Line = {
    ...lineOf({ kind: "resolution", id, by, atMs }),
    subaccount_id: row.subaccount_id,
    receiver_id: row.receiver_id,
    receiver_name: row.receiver_name,
    request: { object: row.reference, verb: outcome, note: reason, changes: [] },
    sums: {
      totals: [{ currency: row.currency, payouts: 1, amount: toSum(BigInt(row.amount)) }],
      reasons: [],
      is_partial: false,
    },
  };
  return { line, position: positionAt(atMs, id), makers: [by], permission: "payouts.resolve" };
}

export function ofChange(change: BankChange): Found {
  const { id, madeBy: by, madeAtMs: atMs, accountVersion } = change;
  const line: Line = {
    ...lineOf({ kind: "bank_change", id, by, atMs }),
    subaccount_id: change.subaccountId,
    receiver_id: change.receiverId,
    receiver_name: change.receiverName,
    account_id: change.accountId,
    account_number: maskedNumber(change.tail),
    country: change.country,
    change: {
      is_new: accountVersion === null,
      changes: change.proposal?.changes ?? [],
      is_unreadable: change.proposal === undefined,
    },
  };
  return { line, position: id, makers: makersOfChange(change), permission: "accounts.approve" };
}

const textOf = (value: unknown) =>
  Array.isArray(value) ? value.join(", ") : value == null ? "" : String(value);

export function ofRequest(request: WaitingRequest): Found {
  const { kind, id, made_by: by, made_at_ms: atMs, before, after } = request;
  const fields = Object.keys(after).filter(
    (field) => textOf(before[field]) !== textOf(after[field]),
  );
  const objects = {
    key: textOf(after.name),
    rotation: textOf(after.name),
    limits: request.object_id,
    erasure: "",
  };
  const line: Line = {
    ...lineOf({ kind, id, by, atMs }),
    subaccount_id: request.subaccount_id,
    receiver_id: kind === "erasure" ? request.object_id : "",
    receiver_name: request.receiver_name,
    country: request.country,
    request: {
      object: objects[kind],
      verb: "",
      note: "",
      changes: fields.map((field) => ({
        field,
        before: textOf(before[field]),
        after: textOf(after[field]),
      })),
    },
  };
  return { line, position: id, makers: makersOfRequest(request), permission: permissionOf[kind] };
}

export function ofRequestAtBank(bank: BankRequestRow): Found {
  const { id, kind, made_by: by, made_at_ms: atMs, connection_name: name } = bank;
  return {
    line: lineOf({ kind: "bank_request", id, by, atMs }),
    position: id,
    makers: [by],
    permission: permissionOfBankRequest[kind],
    company: { name, mode: "live" },
    bank,
  };
}
