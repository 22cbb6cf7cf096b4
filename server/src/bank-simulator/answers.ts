// Everything that the simulated bank sends about the files that it took, with the time at which each answer is due.

import type { MagicCause } from "../rails/magic-accounts.ts";
import { type ReturnedInstruction, writeDirectEntryReturns } from "./aba-file.ts";
import {
  writeFileStatus,
  writePaymentStatuses,
  writeTextAcknowledgement,
} from "./acknowledgement.ts";
import { writeBai2Statement } from "./bai2-statement.ts";
import { type Booking, bookingDate, bookingsOf, tellsRejections } from "./bookings.ts";
import { type CamtAccount, writeCamtStatement, writeReturnNotification } from "./camt-message.ts";
import type { DecidedFile } from "./decision.ts";
import { writeAutomatedReturns } from "./nacha-file.ts";
import { causeCodes } from "./outcomes.ts";

export const statementFormats = ["camt.053", "bai2"] as const;
export type StatementFormat = (typeof statementFormats)[number];

export type BankAnswer = {
  /** The name of the file. The same answer always has the same name. */
  name: string;
  dueMs: number;
  write(): string;
};

export type AnswerOptions = {
  /** How much faster than a real bank: 3600 makes a second of an hour. */
  speed: number;
  statements: StatementFormat | undefined;
};

const minuteMs = 60_000;
/** After a file has come. */
const delays = {
  acknowledge: minuteMs,
  pay: 60 * minuteMs,
  comeBack: 24 * 60 * minuteMs,
  statementDay: 24 * 60 * minuteMs,
};

export function answersTo(decided: DecidedFile, { speed }: AnswerOptions): BankAnswer[] {
  const { receivedMs, sha256, file, isAccepted } = decided;
  const times = timesOf(decided, speed);
  const stem = decided.name.replace(/\.[^.]*$/, "").replaceAll(/[^\w.-]/g, "_");
  const name = (ending: string) => `${stem}.${sha256.slice(0, 8)}.${ending}`;
  const acknowledgeMs = receivedMs + delays.acknowledge / speed;
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

function timesOf({ receivedMs }: DecidedFile, speed: number) {
  return {
    payMs: receivedMs + delays.pay / speed,
    returnMs: receivedMs + delays.comeBack / speed,
  };
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
  const bookings = bookingsOf(decided, { payMs: atMs, returnMs: atMs }).filter(
    ({ returned }) => returned && payments[returned.instruction.number - 1]?.outcome.kind === kind,
  );
  const version = file.format === "pain.001.001.03" ? "02" : "08";
  const account = { ...file.payer, currency: file.currency };
  const id = `${reference}-${kind === "rejected" ? "3" : "4"}`;
  return { write: () => writeReturnNotification({ id, atMs, account, version }, bookings) };
}

/** What every account has before its first file: one million. */
const openingBalance = 100_000_000n;

/** A statement for each day that has bookings, for each account. Balances follow on each other. */
export function accountStatements(
  files: readonly DecidedFile[],
  { speed, statements: format }: AnswerOptions,
): BankAnswer[] {
  if (!format) return [];
  const dayMs = delays.statementDay / speed;
  const accounts = new Map<string, { account: CamtAccount; bookings: Booking[] }>();
  for (const decided of files) {
    const { payer, currency } = decided.file;
    const key = `${payer.bank}/${payer.account}/${currency}`;
    const found = accounts.get(key) ?? { account: { ...payer, currency }, bookings: [] };
    accounts.set(key, found);
    found.bookings.push(...bookingsOf(decided, timesOf(decided, speed)));
  }
  return [...accounts.values()].flatMap(({ account, bookings }) => {
    const days = Map.groupBy(bookings, ({ atMs }) => Math.floor(atMs / dayMs));
    let opening = openingBalance;
    let sequence = 0;
    return [...days]
      .sort(([one], [other]) => one - other)
      .map(([day, ofDay]): BankAnswer => {
        const change = ofDay.reduce(
          (sum, { direction, amount }) => (direction === "credit" ? sum + amount : sum - amount),
          0n,
        );
        sequence += 1;
        const facts = {
          sequence,
          fromMs: day * dayMs,
          toMs: (day + 1) * dayMs,
          opening,
          closing: opening + change,
        };
        opening += change;
        const ending = account.account.slice(-3) || "000";
        const id = `STMT-${account.currency}-${ending}-${String(sequence).padStart(4, "0")}`;
        const message = { id, atMs: facts.toMs, account, version: "08" } as const;
        return {
          name: `${id.toLowerCase()}${format === "bai2" ? ".bai" : ".xml"}`,
          dueMs: facts.toMs,
          write: () =>
            format === "bai2"
              ? writeBai2Statement(account, facts, ofDay)
              : writeCamtStatement(message, facts, ofDay),
        };
      });
  });
}
