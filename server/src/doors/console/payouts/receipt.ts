// The receipt of a paid payout as a PDF document, for the person who was paid.

import type { Readable } from "node:stream";
import { listPayoutHistory, type PayoutKey } from "../../../money/payouts/index.ts";
import { maskedNumber, payeeOf } from "../../../people/person/index.ts";
import { formatGrouped } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import { writeTablePdf } from "../../../platform/documents/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { findReceiptLogo, findSubaccount } from "../../../tenants/subaccounts/index.ts";
import { findListed } from "./timeline-queries.ts";

/** Throws CONS110 if there is no such payout, CONS513 if the bank has not paid it or it came back. */
export async function payoutReceipt(db: Db, key: PayoutKey): Promise<Readable> {
  const row = await findListed(db, key);
  if (!row) throw new Refusal("CONS110");
  const history = await listPayoutHistory(db, key);
  const paid = history.find(({ to_stage }) => to_stage === "settled");
  if (row.stage !== "settled" || !paid) throw new Refusal("CONS513");
  const { suba_name, business_name } = (await findSubaccount(db, key.subaccountId))?.wire ?? {};
  const payer = business_name || suba_name || "";
  const logo = await findReceiptLogo(db, key.subaccountId);
  const paidAtMs = Number(paid.at_ms);
  const facts: [label: string, value: string][] = [
    ["Paid by", payer],
    ["Paid to", payeeOf(row)],
    ["Bank", row.bank_name],
    ["Account", maskedNumber(row.account_number_tail)],
    ["Paid on", `${new Date(paidAtMs).toISOString().slice(0, 16).replace("T", " ")} UTC`],
    ["Reference", row.reference],
    ["On the bank statement", row.statement_reference],
    ["Reference of the bank", row.provider_reference],
    ["Payout", row.id],
  ];
  return writeTablePdf({
    title: "Payment receipt",
    logo: logo && { bytes: logo.bytes, name: payer },
    // What has arrived: a fee of the payout is the payer's.
    lead: formatGrouped(BigInt(row.sent_amount), row.currency),
    facts: facts.filter(([, value]) => value !== ""),
    columns: [],
    rows: [],
    createdAtMs: paidAtMs,
  });
}
