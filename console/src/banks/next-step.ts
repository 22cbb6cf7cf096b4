// The next step for a bank file, by its state. Pure.

import type { BankBatchDetail } from "@server/doors/console/banks/schema.ts";
import { whoText } from "../state/who.ts";

const decide =
  "If the bank has the file, record it with “I have uploaded it”. If not, two users discard it.";

/** What to do, by why the file could not be sent. */
const afterFailure = {
  another_file: `Ask the bank what the file of this name on its server is. ${decide}`,
  vanished: `The connection broke while the file was being stored. Ask the bank whether it has the file. ${decide}`,
  late: `The process date is inside the file. Ask the bank whether it takes the file late. ${decide}`,
  downloaded: `A user has downloaded the file, so the service does not send it: it may have been uploaded. ${decide}`,
  another_address: `The connection was changed while the file was being sent. Change it back, or ask the bank. ${decide}`,
  in_review:
    "Decide the reviews of the receivers, or discard the file. The service tries again by itself.",
  forbidden:
    "Correct the host of the connection, or allow its address with POSTBACK_ADDRESSES. The service tries again by itself.",
  unreachable:
    "Check the host and the port of the connection, and ask the bank whether its server is up. The service tries again by itself.",
  host_key:
    "Another server may have answered. Ask the bank for the fingerprint of its host key, and change the connection only to a key that the bank confirms.",
  login:
    "Check the user and the password or key of the connection with the bank. The service tries again by itself.",
  refused:
    "Check the folder of the connection, and ask the bank whether you may write and rename files there. The service tries again by itself.",
  stored_less: "Ask the bank whether its server has space left. The service tries again by itself.",
  cut: "Nothing to do now: the service tries again by itself. If it continues, ask the bank.",
  timeout: "Nothing to do now: the service tries again by itself. If it continues, ask the bank.",
  failed: "The log of the service has the error. The service tries again by itself.",
} as const;

export function nextStepOf(batch: BankBatchDetail): { text: string; isBad: boolean } {
  const { status, discard_by, send_problem, is_late } = batch;
  if (status === "discarded")
    return {
      text: "The file was discarded. Its payouts are in the queue, and are paid with the next file unless they are cancelled.",
      isBad: false,
    };
  if (discard_by)
    return {
      text: `${whoText(discard_by)} says that the bank does not have this file. A second user has to confirm that with Discard.`,
      isBad: is_late,
    };
  // Before "late": the bank may have the file, and then it must not be discarded.
  if (send_problem?.needs_user) return { text: afterFailure[send_problem.failure], isBad: true };
  if (is_late)
    return {
      text: "It is late: the bank no longer takes it for its process date. Discard it, so that its payouts go with the next file.",
      isBad: true,
    };
  if (send_problem) return { text: afterFailure[send_problem.failure], isBad: true };
  return { text: textOf(batch), isBad: false };
}

function textOf({ status, approvals_missing, downloaded_at, travels }: BankBatchDetail): string {
  if (status === "frozen")
    return approvals_missing === 1
      ? "One more user has to approve the file, by its hash. It can't be downloaded before that."
      : `${approvals_missing} more users have to approve the file, by its hash. It can't be downloaded before that.`;
  if (status !== "approved" && status !== "sending")
    return "The bank has the file. Its payouts are in progress.";
  if (travels === "sftp" && downloaded_at !== null) return afterFailure.downloaded;
  if (travels === "sftp") return "The service sends the file to the bank by SFTP. Nothing to do.";
  return downloaded_at === null
    ? "Download the file, upload it at the bank, then record it with “I have uploaded it”."
    : "Upload the file at the bank, then record it with “I have uploaded it”.";
}
