// Files from banks as the console shows them.

import type { InboundFileRow } from "../../../banking/answers/index.ts";
import { listConnections } from "../../../banking/connections/index.ts";
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

export function presentReport({ amount, ...row }: BankReportRow): BankReport {
  return { ...row, amount: amount === null ? null : toSum(BigInt(amount)) };
}
