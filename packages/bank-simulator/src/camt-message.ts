// camt.054 notifications of returned payments, and camt.053 statements, in three versions.

import { timeText } from "./acknowledgement.ts";
import { toDecimal } from "./amounts.ts";
import type { Booking, BookingSubject } from "./bookings.ts";
import type { PayerAccount } from "./instruction-file.ts";
import { element } from "./xml-tree.ts";

export const camtVersions = ["02", "04", "08"] as const;
export type CamtVersion = (typeof camtVersions)[number];

/** 08 has a code inside of the status, and a party around names. */
const isNew = (version: CamtVersion) => version === "08";

export type CamtAccount = PayerAccount & { currency: string };

/** Some files do not name the account: ANZ's screen does. */
export function accountText(account: string): string {
  return account === "" ? "NOTPROVIDED" : account;
}

function accountId(account: string): string {
  const text = accountText(account);
  const isIban = /^[A-Z]{2}\d\d[A-Z0-9]{11,30}$/.test(text);
  return `<Id>${isIban ? element("IBAN", text) : `<Othr>${element("Id", text)}</Othr>`}</Id>`;
}

function amountOf(amount: bigint, currency: string): string {
  return `<Amt Ccy="${currency}">${toDecimal(amount, currency)}</Amt>`;
}

function directionOf(direction: Booking["direction"]): string {
  return element("CdtDbtInd", direction === "credit" ? "CRDT" : "DBIT");
}

/** The bank's code of each booking: domain, family and subfamily. */
const transactionCodes: Record<BookingSubject["kind"], readonly [string, string, string]> = {
  file: ["PMNT", "ICDT", "DMCT"],
  payment: ["PMNT", "ICDT", "DMCT"],
  return: ["PMNT", "RCDT", "RRTN"],
  deposit: ["PMNT", "RCDT", "DMCT"],
  charge: ["ACMT", "MDOP", "CHRG"],
};

function entryOf(booking: Booking, currency: string, version: CamtVersion): string {
  const { direction, amount, reference, subject } = booking;
  const date = element("Dt", booking.date);
  const status = isNew(version) ? "<Cd>BOOK</Cd>" : "BOOK";
  const [domain, family, subfamily] = transactionCodes[subject.kind];
  const codes = `<Fmly>${element("Cd", family)}${element("SubFmlyCd", subfamily)}</Fmly>`;
  const details =
    subject.kind === "file"
      ? fileDetails(booking, subject.count, currency)
      : subject.kind === "charge"
        ? ""
        : transactionDetails(booking, subject, currency, version);
  return (
    `<Ntry>${amountOf(amount, currency)}${directionOf(direction)}<Sts>${status}</Sts>` +
    `<BookgDt>${date}</BookgDt><ValDt>${date}</ValDt>${element("AcctSvcrRef", reference)}` +
    `<BkTxCd><Domn>${element("Cd", domain)}${codes}</Domn></BkTxCd>${details}` +
    (subject.kind === "charge" ? element("AddtlNtryInf", subject.text) : "") +
    "</Ntry>\n"
  );
}

/** One debit for a whole file: its payments are not listed. */
function fileDetails(
  { amount, direction, messageId }: Booking,
  count: number,
  currency: string,
): string {
  const total = `<TtlAmt Ccy="${currency}">${toDecimal(amount, currency)}</TtlAmt>`;
  const counts = element("NbOfTxs", String(count)) + total + directionOf(direction);
  return `<NtryDtls><Btch>${element("MsgId", messageId)}${counts}</Btch></NtryDtls>`;
}

type TransactionSubject = Exclude<BookingSubject, { kind: "file" | "charge" }>;

function transactionDetails(
  { amount, direction, reference, messageId }: Booking,
  subject: TransactionSubject,
  currency: string,
  version: CamtVersion,
): string {
  const ids =
    subject.kind === "deposit"
      ? element("EndToEndId", "NOTPROVIDED")
      : element("InstrId", subject.instruction.instructionId) +
        element("EndToEndId", subject.instruction.id);
  // What comes back is a message of another bank.
  const message = subject.kind === "payment" ? element("MsgId", messageId) : "";
  const references = `<Refs>${message}${element("AcctSvcrRef", reference)}${ids}</Refs>`;
  const money = amountOf(amount, currency);
  const amounts =
    version === "02"
      ? `<AmtDtls><TxAmt>${money}</TxAmt></AmtDtls>`
      : `${money}${directionOf(direction)}`;
  const remittance = subject.kind === "deposit" ? subject.text : subject.instruction.reference;
  return (
    `<NtryDtls><TxDtls>${references}${amounts}${partiesOf(subject, version)}` +
    (remittance === "" ? "" : `<RmtInf>${element("Ustrd", remittance)}</RmtInf>`) +
    (subject.kind === "return"
      ? `<RtrInf><Rsn>${element("Cd", subject.code)}</Rsn>${element("AddtlInf", subject.cause)}</RtrInf>`
      : "") +
    "</TxDtls></NtryDtls>"
  );
}

function partiesOf(subject: TransactionSubject, version: CamtVersion): string {
  const partyOf = (name: string) =>
    isNew(version) ? `<Pty>${element("Nm", name)}</Pty>` : element("Nm", name);
  if (subject.kind === "deposit") {
    if (subject.from === "") return "";
    return `<RltdPties><Dbtr>${partyOf(subject.from)}</Dbtr></RltdPties>`;
  }
  const { name, account } = subject.instruction;
  const creditor = `<Cdtr>${partyOf(name)}</Cdtr><CdtrAcct>${accountId(account)}</CdtrAcct>`;
  return `<RltdPties>${creditor}</RltdPties>`;
}

function message(name: string, root: string, header: string, body: string): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${name}">\n` +
    `<${root}>\n<GrpHdr>${header}</GrpHdr>\n${body}</${root}>\n</Document>\n`
  );
}

type MessageFacts = { id: string; atMs: number; account: CamtAccount; version: CamtVersion };

function accountOf({ account: { account, currency } }: MessageFacts): string {
  return `<Acct>${accountId(account)}${element("Ccy", currency)}</Acct>`;
}

export function writeReturnNotification(facts: MessageFacts, bookings: readonly Booking[]): string {
  const { id, atMs, account, version } = facts;
  const created = element("CreDtTm", timeText(atMs));
  const entries = bookings.map((booking) => entryOf(booking, account.currency, version));
  return message(
    `camt.054.001.${version}`,
    "BkToCstmrDbtCdtNtfctn",
    element("MsgId", id) + created,
    `<Ntfctn>${element("Id", id)}${created}${accountOf(facts)}\n${entries.join("")}</Ntfctn>\n`,
  );
}

/** An account's statement of one day. */
export type StatementFacts = {
  /** Counts the statements of an account, from 1. */
  sequence: number;
  /** YYYY-MM-DD. */
  day: string;
  /** May be below zero: the bank lends. */
  opening: bigint;
  closing: bigint;
};

export function writeCamtStatement(
  facts: MessageFacts,
  { sequence, day, opening, closing }: StatementFacts,
  bookings: readonly Booking[],
): string {
  const { id, atMs, account, version } = facts;
  const { currency } = account;
  const created = element("CreDtTm", timeText(atMs));
  const period = element("FrDtTm", `${day}T00:00:00Z`) + element("ToDtTm", `${day}T23:59:59Z`);
  const balance = (code: string, amount: bigint) =>
    `<Bal><Tp><CdOrPrtry>${element("Cd", code)}</CdOrPrtry></Tp>` +
    `${amountOf(amount < 0n ? -amount : amount, currency)}${directionOf(amount < 0n ? "debit" : "credit")}` +
    `<Dt>${element("Dt", day)}</Dt></Bal>\n`;
  const entries = bookings.map((booking) => entryOf(booking, currency, version));
  return message(
    `camt.053.001.${version}`,
    "BkToCstmrStmt",
    element("MsgId", id) + created,
    `<Stmt>${element("Id", id)}${element("ElctrncSeqNb", String(sequence))}${created}` +
      `<FrToDt>${period}</FrToDt>${accountOf(facts)}\n` +
      balance("OPBD", opening) +
      balance("CLBD", closing) +
      `${entries.join("")}</Stmt>\n`,
  );
}
