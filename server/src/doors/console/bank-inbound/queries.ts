// The SQL of the page of a file from a bank: the file, and what it reports.

import {
  type InboundFileRow,
  inboundFileColumns,
  type NewInboundLine,
} from "../../../banking/answers/index.ts";
import { type Runner, statement } from "../../../platform/db/index.ts";

const findOne = statement<InboundFileRow>(
  "bank-inbound-file-shown",
  `select ${inboundFileColumns} from bank_inbound_file where id = $1`,
);

export async function findInboundById(db: Runner, id: string): Promise<InboundFileRow | undefined> {
  return (await db.run(findOne, [id]))[0];
}

export type BankReportRow = Omit<NewInboundLine, "item_key" | "batch_id">;

const listPage = statement<BankReportRow>(
  "bank-inbound-lines-shown",
  `select number, line, kind, code, bank_text, reference, day, amount, currency, subaccount_id, payout_id, outcome, detail
   from bank_inbound_line where file_id = $1 and number > $2 order by number limit $3`,
);

export function listBankReports(
  db: Runner,
  { fileId, afterNumber, limit }: { fileId: string; afterNumber: number; limit: number },
): Promise<BankReportRow[]> {
  return db.run(listPage, [fileId, afterNumber, limit]);
}
