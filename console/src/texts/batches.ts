// Shared texts of the screens below batches/.

import { countText } from "../state/locale.ts";

export const batchesTexts = {
  batches: "Imports and batches",
  batch: "Payout batch",
  kinds: {
    payouts: "File of payouts",
    receivers: "File of receivers",
    accounts: "File of accounts",
    retry: "Retry",
    api: "API",
  },
  created: "Created",
  source: "Source",
  createdBy: "Created by",
  approvedBy: "Approved by",
  payouts: "Payouts",
  outcome: "Outcome",
  fileRows: (created: string, before: string, refused: string) =>
    `${created} created, ${before} imported before, ${refused} refused`,
  refusedRows: "Refused rows",
  waitingRows: "Rows that wait",
  rowsWait: (rows: number) =>
    `${rows === 1 ? "1 row waits" : `${countText(rows)} rows wait`} for a new receiver or account`,
  payRows: (rows: number) =>
    rows === 1 ? "Pay the row that waited" : `Pay the ${countText(rows)} rows that waited`,
  receiver: "Receiver",
  amount: "Amount",
  reference: "Reference",
  approveAll: (payouts: string) => `Approve ${payouts}`,
  declineAll: (payouts: string) => `Decline ${payouts}`,
  retryAll: (payouts: string) => `Retry ${payouts}`,
  payoutsCount: (count: number) => (count === 1 ? "1 payout" : `${countText(count)} payouts`),
  acted: (done: number, refused: number) =>
    refused === 0 ? `${done} done` : `${done} done, ${refused} refused`,
  firstReason: (code: string, message: string) => `${message} (${code})`,
} as const;
