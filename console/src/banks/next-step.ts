// The next step for a bank file, by its state. Pure.

import type { BankBatchDetail } from "@server/console/banks/schema.ts";
import { whoText } from "../state/who.ts";
import { banksTexts } from "../texts/banks.ts";

export function nextStepOf(batch: BankBatchDetail): { text: string; isBad: boolean } {
  const { status, discard_by, send_problem, is_late } = batch;
  if (status === "discarded") return { text: banksTexts.discardedNow, isBad: false };
  if (discard_by) return { text: banksTexts.discardWaits(whoText(discard_by)), isBad: is_late };
  // Before "late": the bank may have the file, and then it must not be discarded.
  if (send_problem?.needs_user) return { text: afterFailure[send_problem.failure], isBad: true };
  if (is_late) return { text: banksTexts.isLate, isBad: true };
  if (send_problem) return { text: afterFailure[send_problem.failure], isBad: true };
  return { text: textOf(batch), isBad: false };
}

const { afterFailure } = banksTexts;

function textOf({ status, approvals_missing, downloaded_at, travels }: BankBatchDetail): string {
  if (status === "frozen") return banksTexts.approvalsMissing(approvals_missing);
  if (status !== "approved" && status !== "sending") return banksTexts.sentNow;
  if (travels === "sftp" && downloaded_at !== null) return afterFailure.downloaded;
  if (travels === "sftp") return banksTexts.serviceSends;
  return downloaded_at === null ? banksTexts.downloadIt : banksTexts.nowUploaded;
}
