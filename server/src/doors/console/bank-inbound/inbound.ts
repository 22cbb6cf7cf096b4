// Files from banks as the console shows them.

import { type InboundFileRow, listInboundFiles } from "../../../banking/answers/index.ts";
import { listConnections } from "../../../banking/connections/index.ts";
import { newestId, toSum } from "../../../platform/base/index.ts";
import { cutPage, type Runner } from "../../../platform/db/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { type BankReportRow, findInboundById, listBankReports } from "./queries.ts";
import type { BankReport, InboundFileDetail, InboundFileLine } from "./schema.ts";

/** Newest first. */
export async function listInboundPage(
  db: Runner,
  { beforeId = newestId, size }: { beforeId: string | undefined; size: number },
) {
  const found = await listInboundFiles(db, { beforeId, limit: size + 1 });
  const { rows, next } = await cutPage(found, size, ({ id }) => id);
  return { rows: rows.map(presentInboundFile), next };
}

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

export async function listReportPage(
  db: Runner,
  { fileId, afterNumber, size }: { fileId: string; afterNumber: number; size: number },
) {
  const found = await listBankReports(db, { fileId, afterNumber, limit: size + 1 });
  const { rows, next } = await cutPage(found, size, ({ number }) => String(number));
  return { rows: rows.map(presentReport), next };
}

function presentReport({ amount, ...row }: BankReportRow): BankReport {
  return { ...row, amount: amount === null ? null : toSum(BigInt(amount)) };
}
