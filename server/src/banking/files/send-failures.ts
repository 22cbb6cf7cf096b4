// Why a bank file was not sent, in words. The problem that is stored starts with the words of its failure, so the failure
// can be read back from it.

import type { BankSendOutcome } from "../../platform/metrics/index.ts";
import { sftpFailures } from "../sftp/index.ts";

export type SendFailure = Exclude<BankSendOutcome, "sent" | "present">;

export const sendFailures: Record<SendFailure, string> = {
  ...sftpFailures,
  another_file: "The server has another file of the name",
  vanished: "The file is no longer on the server",
  stored_less: "The server stored",
  late: "The bank's cut-off has passed",
  another_address: "The connection has another address",
  downloaded: "The file was downloaded",
  in_review: "Payouts wait for a review",
  failed: "It failed",
};

// The longest first: "It refused the user" is not "It refused".
const byLength = (Object.keys(sendFailures) as SendFailure[]).sort(
  (one, other) => sendFailures[other].length - sendFailures[one].length,
);

export function sendFailureOf(problem: string): SendFailure {
  return byLength.find((failure) => problem.startsWith(sendFailures[failure])) ?? "failed";
}
