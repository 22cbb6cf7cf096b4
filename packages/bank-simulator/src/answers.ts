// What the simulated bank answers to each file of payments, with the time at which each answer is due.

import { type ReturnedInstruction, writeDirectEntryReturns } from "./aba-file.ts";
import {
  writeFileStatus,
  writePaymentStatuses,
  writeTextAcknowledgement,
} from "./acknowledgement.ts";
import { bookingDate, bookingsOf, tellsRejections, usualBooking } from "./bookings.ts";
import { writeReturnNotification } from "./camt-message.ts";
import type { DecidedFile } from "./decision.ts";
import type { MagicCause } from "./magic-accounts.ts";
import { writeAutomatedReturns } from "./nacha-file.ts";
import { causeCodes } from "./outcomes.ts";
import { type BankAnswer, timesOf } from "./schedule.ts";

export function answersTo(decided: DecidedFile, { speed }: { speed: number }): BankAnswer[] {
  const { sha256, file, isAccepted } = decided;
  const { acknowledgeMs, ...times } = timesOf(decided, speed);
  const stem = decided.name.replace(/\.[^.]*$/, "").replaceAll(/[^\w.-]/g, "_");
  const name = (ending: string) => `${stem}.${sha256.slice(0, 8)}.${ending}`;
  // A message that can't be read far enough has no id to which a status report could answer.
  const hasStatus = tellsRejections(decided) && file.messageId !== "" && file.currency !== "";
  const first: BankAnswer = hasStatus
    ? {
        name: name("status-1.xml"),
        dueMs: acknowledgeMs,
        write: () => writeFileStatus(decided, acknowledgeMs),
      }
    : {
        name: name("ack.txt"),
        dueMs: acknowledgeMs,
        write: () => writeTextAcknowledgement(decided),
      };
  if (!isAccepted) return [first];
  const answers = [first];
  const isTold = decided.payments.some(({ outcome }) => outcome.kind !== "silent");
  if (hasStatus && isTold) {
    answers.push({
      name: name("status-2.xml"),
      dueMs: times.payMs,
      write: () => writePaymentStatuses(decided, times.payMs),
    });
  }
  for (const [part, kind, dueMs] of [
    ["returns-1", "rejected", times.payMs],
    ["returns-2", "returned", times.returnMs],
  ] as const) {
    if (kind === "rejected" && tellsRejections(decided)) continue;
    const returned = decided.payments.filter(({ outcome }) => outcome.kind === kind);
    if (returned.length === 0) continue;
    answers.push({
      ...returnsAnswer(decided, kind, dueMs),
      dueMs,
      name: name(part) + endingOf(decided),
    });
  }
  return answers;
}

function endingOf({ file: { format } }: DecidedFile): string {
  if (format === "aba") return ".aba";
  return format === "nacha" ? ".ach" : ".xml";
}

/** In the format of the file where it has returns; New Zealand's formats have none, so their banks send camt.054. */
function returnsAnswer(
  decided: DecidedFile,
  kind: "rejected" | "returned",
  atMs: number,
): Pick<BankAnswer, "write"> {
  const { file, payments, reference } = decided;
  const withCodes = (codes: Record<MagicCause, string>) =>
    payments.flatMap(({ instruction, outcome }): ReturnedInstruction[] =>
      "cause" in outcome && outcome.kind === kind
        ? [{ instruction, code: codes[outcome.cause] }]
        : [],
    );
  if (file.format === "aba") {
    const sent = bookingDate(atMs, file.processDate);
    return {
      write: () => writeDirectEntryReturns(file, withCodes(causeCodes.becs), sent),
    };
  }
  if (file.format === "nacha") {
    return { write: () => writeAutomatedReturns(file, withCodes(causeCodes.nacha), atMs) };
  }
  const times = { payMs: atMs, returnMs: atMs };
  const bookings = bookingsOf(decided, times, usualBooking).filter(
    ({ subject }) =>
      subject.kind === "return" && payments[subject.instruction.number - 1]?.outcome.kind === kind,
  );
  const version = file.format === "pain.001.001.03" ? "02" : "08";
  const account = { ...file.payer, currency: file.currency };
  const id = `${reference}-${kind === "rejected" ? "3" : "4"}`;
  return { write: () => writeReturnNotification({ id, atMs, account, version }, bookings) };
}
