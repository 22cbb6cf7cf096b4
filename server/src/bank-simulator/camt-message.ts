// camt.054 notifications of returned payments, and camt.053 statements.

import { toDecimal } from "../money.ts";
import { timeText } from "./acknowledgement.ts";
import type { Booking } from "./bookings.ts";
import type { PayerAccount } from "./instruction-file.ts";
import { element } from "./xml-tree.ts";

/** 02 has a plain status, and names without a party around them. */
export type CamtVersion = "02" | "08";

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

function entryOf(booking: Booking, currency: string, version: CamtVersion): string {
  const { direction, amount, reference, messageId, returned } = booking;
  const date = element("Dt", booking.date);
  const status = version === "02" ? "BOOK" : "<Cd>BOOK</Cd>";
  const family = returned
    ? "<Fmly><Cd>RCDT</Cd><SubFmlyCd>RRTN</SubFmlyCd></Fmly>"
    : "<Fmly><Cd>ICDT</Cd><SubFmlyCd>DMCT</SubFmlyCd></Fmly>";
  return (
    `<Ntry>${amountOf(amount, currency)}${directionOf(direction)}<Sts>${status}</Sts>` +
    `<BookgDt>${date}</BookgDt><ValDt>${date}</ValDt>${element("AcctSvcrRef", reference)}` +
    `<BkTxCd><Domn><Cd>PMNT</Cd>${family}</Domn></BkTxCd>` +
    (returned
      ? returnDetails(booking, returned, currency, version)
      : messageId === ""
        ? ""
        : `<NtryDtls><Btch>${element("MsgId", messageId)}</Btch></NtryDtls>`) +
    "</Ntry>\n"
  );
}

function returnDetails(
  { amount, reference }: Booking,
  { instruction, code, cause }: NonNullable<Booking["returned"]>,
  currency: string,
  version: CamtVersion,
): string {
  const { id, instructionId, name, account, reference: remittance } = instruction;
  const ids = element("InstrId", instructionId) + element("EndToEndId", id);
  const references = `<Refs>${element("AcctSvcrRef", reference)}${ids}</Refs>`;
  const money = amountOf(amount, currency);
  const isOld = version === "02";
  const amounts = isOld
    ? `<AmtDtls><TxAmt>${money}</TxAmt></AmtDtls>`
    : `${money}${directionOf("credit")}`;
  const party = isOld ? element("Nm", name) : `<Pty>${element("Nm", name)}</Pty>`;
  const parties = `<Cdtr>${party}</Cdtr><CdtrAcct>${accountId(account)}</CdtrAcct>`;
  const reason = `<Rsn>${element("Cd", code)}</Rsn>${element("AddtlInf", cause)}`;
  return (
    `<NtryDtls><TxDtls>${references}${amounts}<RltdPties>${parties}</RltdPties>` +
    (remittance === "" ? "" : `<RmtInf>${element("Ustrd", remittance)}</RmtInf>`) +
    `<RtrInf>${reason}</RtrInf></TxDtls></NtryDtls>`
  );
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

export type StatementFacts = {
  /** Counts the statements of an account, from 1. */
  sequence: number;
  fromMs: number;
  toMs: number;
  /** May be below zero: the bank lends. */
  opening: bigint;
  closing: bigint;
};

export function writeCamtStatement(
  facts: MessageFacts,
  { sequence, fromMs, toMs, opening, closing }: StatementFacts,
  bookings: readonly Booking[],
): string {
  const { id, atMs, account, version } = facts;
  const { currency } = account;
  const created = element("CreDtTm", timeText(atMs));
  const period = element("FrDtTm", timeText(fromMs)) + element("ToDtTm", timeText(toMs));
  const balance = (code: string, amount: bigint, dateMs: number) =>
    `<Bal><Tp><CdOrPrtry>${element("Cd", code)}</CdOrPrtry></Tp>` +
    `${amountOf(amount < 0n ? -amount : amount, currency)}${directionOf(amount < 0n ? "debit" : "credit")}` +
    `<Dt>${element("Dt", timeText(dateMs).slice(0, 10))}</Dt></Bal>\n`;
  const entries = bookings.map((booking) => entryOf(booking, currency, version));
  return message(
    `camt.053.001.${version}`,
    "BkToCstmrStmt",
    element("MsgId", id) + created,
    `<Stmt>${element("Id", id)}${element("ElctrncSeqNb", String(sequence))}${created}` +
      `<FrToDt>${period}</FrToDt>${accountOf(facts)}\n` +
      balance("OPBD", opening, fromMs) +
      balance("CLBD", closing, toMs) +
      `${entries.join("")}</Stmt>\n`,
  );
}
