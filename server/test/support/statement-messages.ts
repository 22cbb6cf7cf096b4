// camt.053 statements as a bank writes them, made by hand for tests.

import { toDecimal } from "../../src/platform/base/money.ts";

export type WrittenEntry = {
  /** Minor units; below zero: a debit. */
  amount: bigint | number;
  day: string;
  /** The bank's reference. */
  ref?: string;
  /** The message id of a file of ours. */
  messageId?: string;
  endToEndId?: string;
  text?: string;
  party?: string;
  partyAccount?: string;
  returned?: string;
  /** Domain, family and subfamily. */
  code?: string;
};

export type WrittenStatement = {
  account: string;
  currency?: string;
  id?: string;
  /** The bank's number of the statement. */
  sequence?: number;
  from: string;
  to: string;
  opening: bigint | number;
  entries: WrittenEntry[];
  /** Default: the opening balance and all entries. */
  closing?: bigint;
};

const directionOf = (amount: bigint) => `<CdtDbtInd>${amount < 0n ? "DBIT" : "CRDT"}</CdtDbtInd>`;
const sizeOf = (amount: bigint) => (amount < 0n ? -amount : amount);

export function closingOf({ opening, entries, closing }: WrittenStatement): bigint {
  return closing ?? entries.reduce((sum, { amount }) => sum + BigInt(amount), BigInt(opening));
}

let statements = 0;

/** One message with any number of statements. */
export function camt053(...written: WrittenStatement[]): string {
  statements += 1;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
<GrpHdr><MsgId>M${statements}</MsgId><CreDtTm>2026-11-01T08:00:00Z</CreDtTm></GrpHdr>
${written.map(statementOf).join("")}</BkToCstmrStmt></Document>\n`;
}

function statementOf(statement: WrittenStatement, index: number): string {
  const { account, currency = "AUD", from, to, opening, entries } = statement;
  const id = statement.id ?? `S${statements}-${index}`;
  const balance = (code: string, amount: bigint, day: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${money(amount, currency)}` +
    `${directionOf(amount)}<Dt><Dt>${day}</Dt></Dt></Bal>`;
  const number = statement.sequence;
  const sequence = number === undefined ? "" : `<ElctrncSeqNb>${number}</ElctrncSeqNb>`;
  return `<Stmt><Id>${id}</Id>${sequence}<CreDtTm>${to}T23:00:00Z</CreDtTm>
<FrToDt><FrDtTm>${from}T00:00:00Z</FrDtTm><ToDtTm>${to}T23:59:59Z</ToDtTm></FrToDt>
<Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>
${balance("OPBD", BigInt(opening), from)}
${balance("CLBD", closingOf(statement), to)}
${entries.map((entry) => entryOf(entry, currency)).join("\n")}</Stmt>\n`;
}

function money(amount: bigint, currency: string): string {
  return `<Amt Ccy="${currency}">${toDecimal(sizeOf(amount), currency)}</Amt>`;
}

function entryOf(entry: WrittenEntry, currency: string): string {
  const { day, ref = "", messageId, endToEndId, text = "", party, partyAccount, returned } = entry;
  const amount = BigInt(entry.amount);
  const [domain, family, sub] = (
    entry.code ?? (returned ? "PMNT/RCDT/RRTN" : "PMNT/ICDT/DMCT")
  ).split("/");
  const side = amount < 0n ? "Cdtr" : "Dbtr";
  const details = [
    messageId && `<Btch><MsgId>${messageId}</MsgId></Btch>`,
    (endToEndId || text || party || partyAccount || returned) &&
      `<TxDtls><Refs>${endToEndId ? `<EndToEndId>${endToEndId}</EndToEndId>` : ""}</Refs>` +
        `${money(amount, currency)}${directionOf(amount)}` +
        `<RltdPties>${party ? `<${side}><Pty><Nm>${party}</Nm></Pty></${side}>` : ""}` +
        `${partyAccount ? `<${side}Acct><Id><Othr><Id>${partyAccount}</Id></Othr></Id></${side}Acct>` : ""}</RltdPties>` +
        `${text ? `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>` : ""}` +
        `${returned ? `<RtrInf><Rsn><Cd>${returned}</Cd></Rsn></RtrInf>` : ""}</TxDtls>`,
  ].filter(Boolean);
  return (
    `<Ntry>${money(amount, currency)}${directionOf(amount)}<Sts><Cd>BOOK</Cd></Sts>` +
    `<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>` +
    `${ref ? `<AcctSvcrRef>${ref}</AcctSvcrRef>` : ""}` +
    `<BkTxCd><Domn><Cd>${domain}</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${sub}</SubFmlyCd></Fmly></Domn></BkTxCd>` +
    `${details.length > 0 ? `<NtryDtls>${details.join("")}</NtryDtls>` : ""}</Ntry>`
  );
}
