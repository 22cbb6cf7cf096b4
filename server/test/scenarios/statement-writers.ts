// Writes generated statements: camt.053 and camt.054 in three versions, BAI2 and CSV. They share nothing with the service's
// readers, nor with the bank simulator.

import { toDecimal } from "../../src/platform/base/money.ts";
import type { Movement } from "./statement-movements.ts";

export type StatementOf = {
  number: string;
  currency: string;
  /** The bank's id of the message. */
  messageId: string;
  /** The bank's id of the statement, and its number, where it gives one. */
  statementId: string;
  sequence?: number;
  opening: bigint;
  movements: readonly Movement[];
};

export type CamtName = `camt.05${3 | 4}.001.${"02" | "04" | "08"}`;

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const tag = (name: string, text: string) =>
  text === ""
    ? ""
    : `<${name}>${text.replaceAll(/[&<>]/g, (sign) => escapes[sign] as string)}</${name}>`;
const magnitude = (amount: bigint) => (amount < 0n ? -amount : amount);

function money(amount: bigint, currency: string): string {
  const sign = amount < 0n ? "DBIT" : "CRDT";
  return `<Amt Ccy="${currency}">${toDecimal(magnitude(amount), currency)}</Amt><CdtDbtInd>${sign}</CdtDbtInd>`;
}

const domains: Record<Movement["code"], readonly [string, string, string]> = {
  payment: ["PMNT", "ICDT", "DMCT"],
  file: ["PMNT", "ICDT", "DMCT"],
  return: ["PMNT", "RCDT", "RRTN"],
  deposit: ["PMNT", "RCDT", "DMCT"],
  charge: ["ACMT", "MDOP", "CHRG"],
};

const sumOf = (movements: readonly Movement[]) =>
  movements.reduce((sum, { amount }) => sum + amount, 0n);

export function writeCamt(name: CamtName, statement: StatementOf): string {
  const { number, currency, messageId, statementId, sequence, opening, movements } = statement;
  const isStatement = name.startsWith("camt.053");
  const [first = "", last = ""] = [movements[0]?.day, movements.at(-1)?.day];
  const created = tag("CreDtTm", `${last}T22:00:00Z`);
  const balance = (code: string, amount: bigint, day: string) =>
    `<Bal><Tp><CdOrPrtry>${tag("Cd", code)}</CdOrPrtry></Tp>${money(amount, currency)}<Dt>${tag("Dt", day)}</Dt></Bal>\n`;
  const balances = isStatement
    ? balance("OPBD", opening, first) + balance("CLBD", opening + sumOf(movements), last)
    : "";
  const entries = entriesOf(movements).map((entry) => writeEntry(entry, currency, name));
  const [root, inner] = isStatement
    ? ["BkToCstmrStmt", "Stmt"]
    : ["BkToCstmrDbtCdtNtfctn", "Ntfctn"];
  const period = `<FrToDt>${tag("FrDtTm", `${first}T00:00:00Z`)}${tag("ToDtTm", `${last}T23:59:59Z`)}</FrToDt>`;
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${name}">\n<${root}>\n` +
    `<GrpHdr>${tag("MsgId", messageId)}${created}</GrpHdr>\n` +
    `<${inner}>${tag("Id", statementId)}${tag("ElctrncSeqNb", String(sequence ?? ""))}${created}${period}` +
    `<Acct><Id><Othr>${tag("Id", number)}</Othr></Id>${tag("Ccy", currency)}</Acct>\n` +
    `${balances}${entries.join("")}</${inner}>\n</${root}>\n</Document>\n`
  );
}

/** Movements that one entry lists are one group. */
function entriesOf(movements: readonly Movement[]): Movement[][] {
  const entries: Movement[][] = [];
  const listed = new Map<number, Movement[]>();
  for (const movement of movements) {
    const found = movement.entry > 0 ? listed.get(movement.entry) : undefined;
    if (found) {
      found.push(movement);
      continue;
    }
    const group = [movement];
    entries.push(group);
    if (movement.entry > 0) listed.set(movement.entry, group);
  }
  return entries;
}

function writeEntry(movements: readonly Movement[], currency: string, name: CamtName): string {
  const [first] = movements as [Movement, ...Movement[]];
  const { code, messageId, bankReference, text, day, valueDay } = first;
  const isNew = name.endsWith("08");
  const [domain, family, sub] = domains[code];
  const codes = `<Fmly>${tag("Cd", family)}${tag("SubFmlyCd", sub)}</Fmly>`;
  const batch =
    code === "file" && messageId !== "" ? `<Btch>${tag("MsgId", messageId)}</Btch>` : "";
  const transactions =
    code === "file" || code === "charge"
      ? ""
      : movements.map((movement) => writeTransaction(movement, currency, name)).join("");
  const details = batch + transactions;
  // The reference of an entry is not that of one of its transactions.
  const reference =
    movements.length > 1 && bankReference !== "" ? `${bankReference}E` : bankReference;
  return (
    `<Ntry>${money(sumOf(movements), currency)}<Sts>${isNew ? "<Cd>BOOK</Cd>" : "BOOK"}</Sts>` +
    `<BookgDt>${tag("Dt", day)}</BookgDt><ValDt>${tag("Dt", valueDay)}</ValDt>${tag("AcctSvcrRef", reference)}` +
    `<BkTxCd><Domn>${tag("Cd", domain)}${codes}</Domn></BkTxCd>` +
    (details === "" ? "" : `<NtryDtls>${details}</NtryDtls>`) +
    `${transactions === "" ? tag("AddtlNtryInf", text) : ""}</Ntry>\n`
  );
}

function writeTransaction(movement: Movement, currency: string, name: CamtName): string {
  const { code, amount, reference, bankReference, partyName, partyAccount, text } = movement;
  const ids = tag("AcctSvcrRef", bankReference) + tag("EndToEndId", reference || "NOTPROVIDED");
  const own = `<Amt Ccy="${currency}">${toDecimal(magnitude(amount), currency)}</Amt>`;
  const amounts = name.endsWith("02")
    ? `<AmtDtls><TxAmt>${own}</TxAmt></AmtDtls>`
    : money(amount, currency);
  const [party, account] = code === "deposit" ? ["Dbtr", "DbtrAcct"] : ["Cdtr", "CdtrAcct"];
  const named = name.endsWith("08") ? `<Pty>${tag("Nm", partyName)}</Pty>` : tag("Nm", partyName);
  const parties =
    (partyName === "" ? "" : `<${party}>${named}</${party}>`) +
    (partyAccount === ""
      ? ""
      : `<${account}><Id><Othr>${tag("Id", partyAccount)}</Othr></Id></${account}>`);
  return (
    `<TxDtls><Refs>${ids}</Refs>${amounts}` +
    (parties === "" ? "" : `<RltdPties>${parties}</RltdPties>`) +
    (text === "" ? "" : `<RmtInf>${tag("Ustrd", text)}</RmtInf>`) +
    (code === "return" ? `<RtrInf><Rsn>${tag("Cd", "AC04")}</Rsn></RtrInf>` : "") +
    "</TxDtls>"
  );
}

const typeCodes: Record<Movement["code"], string> = {
  payment: "495",
  file: "466",
  return: "257",
  deposit: "195",
  charge: "698",
};

const compactDay = (day: string) => day.replaceAll("-", "").slice(2);

/** A group for each day. */
export function writeBai2(statement: StatementOf): string {
  const { number, currency, sequence = 1, movements } = statement;
  const lines: string[] = [];
  let { opening } = statement;
  let fileTotal = 0n;
  const days = Map.groupBy(movements, ({ day }) => day);
  for (const [day, ofDay] of days) {
    const closing = opening + sumOf(ofDay);
    const records = [`03,${number},${currency},010,${opening},,,015,${closing},,/`];
    let total = opening + closing;
    for (const movement of ofDay) {
      records.push(...writeDetail(movement));
      total += magnitude(movement.amount);
    }
    records.push(`49,${total},${records.length + 1}/`);
    const group = [`02,CUSTOMER,GENBANK,1,${compactDay(day)},2200,${currency},2/`, ...records];
    group.push(`98,${total},1,${group.length + 1}/`);
    lines.push(...group);
    fileTotal += total;
    opening = closing;
  }
  const made = compactDay(movements.at(-1)?.day ?? "");
  const header = `01,GENBANK,CUSTOMER,${made},2200,${sequence},,,2/`;
  const trailer = `99,${fileTotal},${days.size},${lines.length + 2}/`;
  return [header, ...lines, trailer, ""].join("\n");
}

function writeDetail(movement: Movement): string[] {
  const { code, amount, bankReference, reference, messageId, partyName, text, day, valueDay } =
    movement;
  const funds = valueDay === day ? "" : `V,${compactDay(valueDay)},`;
  const fields = [typeCodes[code], magnitude(amount), funds, bankReference, reference || messageId];
  // The text goes on in a continuation record.
  const rest = partyName === "" ? [] : [`88,${partyName.replaceAll(/[,/]/g, " ")}`];
  return [`16,${fields.join(",")},${text.replaceAll(/[,/]/g, " ")}`, ...rest];
}

/** The mapping under which these files are read, as a user saves it. */
export const csvMappingOfGenerated = {
  delimiter: ";",
  skip_rows: 0,
  skip_last_rows: 0,
  has_header: true,
  date: { column: "Booked", format: "DD.MM.YYYY" },
  value_date: { column: "Value", format: "DD.MM.YYYY" },
  amount: { kind: "signed", column: "Amount" },
  decimal: ",",
  group: "",
  currency: { column: "Currency" },
  description: ["Details"],
  reference: "Reference",
  bank_reference: "Bank reference",
  party_name: "Name",
  party_account: "Account",
  code: "Type",
  account: "Own account",
  balance: "Balance",
  order: "oldest_first",
} as const;

const csvColumns = [
  "Own account",
  "Booked",
  "Value",
  "Type",
  "Amount",
  "Currency",
  "Balance",
  "Name",
  "Account",
  "Reference",
  "Details",
  "Bank reference",
];

export function writeCsv({ number, currency, opening, movements }: StatementOf): string {
  let balance = opening;
  const local = (day: string) => day.split("-").reverse().join(".");
  const decimal = (amount: bigint) => toDecimal(amount, currency).replace(".", ",");
  const rows = movements.map((movement) => {
    balance += movement.amount;
    return [
      number,
      local(movement.day),
      local(movement.valueDay),
      movement.code.toUpperCase(),
      decimal(movement.amount),
      currency,
      decimal(balance),
      movement.partyName,
      movement.partyAccount,
      movement.reference || movement.messageId,
      movement.text,
      movement.bankReference,
    ];
  });
  return [csvColumns, ...rows].map((row) => `${row.map(quoted).join(";")}\n`).join("");
}

const quoted = (cell: string) => (/[";\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
