// The next step for a bank file, by its state. Pure.

import type { BankBatchDetail } from "@server/console/banks/schema.ts";
import { whoText } from "../state/who.ts";
import { banksTexts } from "../texts/banks.ts";

export function nextStepOf(batch: BankBatchDetail): { text: string; isBad: boolean } {
  if (batch.is_late) return { text: banksTexts.isLate, isBad: true };
  return { text: textOf(batch), isBad: false };
}

function textOf({
  status,
  discard_by,
  approvals_missing,
  downloaded_at,
  travels,
}: BankBatchDetail): string {
  if (status === "discarded") return banksTexts.discardedNow;
  if (discard_by) return banksTexts.discardWaits(whoText(discard_by));
  if (status === "frozen") return banksTexts.approvalsMissing(approvals_missing);
  if (status !== "approved" && status !== "sending") return banksTexts.sentNow;
  if (travels === "sftp") return banksTexts.serviceSends;
  return downloaded_at === null ? banksTexts.downloadIt : banksTexts.nowUploaded;
}
