// Files from banks as the console shows them.

import type { InboundFileRow } from "../../../banking/answers/index.ts";
import { listConnections } from "../../../banking/connections/index.ts";
import { suspenseReasons } from "../../../banking/readers/index.ts";
import { toSum } from "../../../platform/base/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { type BankReportRow, findInboundById } from "./queries.ts";
import type { BankReport, InboundFileDetail, InboundFileLine } from "./schema.ts";

export type ConnectionNames = ReadonlyMap<string, string>;

export async function connectionNames(db: Runner): Promise<ConnectionNames> {
  return new Map((await listConnections(db)).map(({ id, name }) => [id, name]));
}

export function presentInboundFile(row: InboundFileRow): InboundFileLine {
  const {
    id,
    name,
    format,
    connection_name,
    received_by,
    confirmed_by,
    lines,
    applied,
    noted,
    suspended,
    repeated,
  } = row;
  return {
    id,
    name,
    format,
    connection_name,
    received_at: Number(row.received_at_ms),
    received_by,
    confirmed_by,
    lines,
    applied,
    noted,
    suspended,
    repeated,
  };
}

export async function findInboundDetail(db: Runner, id: string): Promise<InboundFileDetail> {
  const row = await findInboundById(db, id);
  if (!row) throw new Refusal("CONS110");
  return {
    ...presentInboundFile(row),
    sha256: row.sha256,
    bytes: Number(row.bytes),
  };
}

/** What became of the payout, in words. */
const moved: Record<string, string> = {
  settle: "the payout counts as paid",
  reject: "the payout was rejected",
  return: "the payout was returned",
  return_early: "the payout was returned before it counted as paid",
};

export function presentReport({ amount, ...row }: BankReportRow): BankReport {
  const words: Record<string, string> =
    { applied: moved, suspended: suspenseReasons }[row.outcome as string] ?? {};
  return {
    ...row,
    detail: words[row.detail] ?? row.detail,
    amount: amount === null ? null : toSum(BigInt(amount)),
  };
}
