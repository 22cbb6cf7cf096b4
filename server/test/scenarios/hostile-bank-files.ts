// Files from banks of the largest size that a user can upload, in shapes that are hard to read.

import { abaReturns } from "../support/aba-returns.ts";
import { nachaReports } from "../support/inbound-nacha-file.ts";

const date = "2026-11-02";

/** A text of about this size, of a part that is repeated. */
const fill = (size: number, part: string) =>
  part.repeat(Math.max(1, Math.floor(size / part.length)));

/** Of about this size, with parts that differ. */
function fillWith(size: number, part: (index: number) => string): string {
  const parts: string[] = [];
  for (let length = 0; length < size; length += parts.at(-1)?.length ?? size) {
    parts.push(part(parts.length));
  }
  return parts.join("");
}

const messages = {
  "camt.053": ["BkToCstmrStmt", "Stmt", "Ntry"],
  "camt.054": ["BkToCstmrDbtCdtNtfctn", "Ntfctn", "Ntry"],
  "pain.002": ["CstmrPmtStsRpt", "OrgnlPmtInfAndSts", "TxInfAndSts"],
} as const;

function xmlFiles(size: number): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [name, [root, group, entry]] of Object.entries(messages)) {
    const document = (content: string, attributes = "") =>
      `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${name}.001.08"${attributes}><${root}>${content}</${root}></Document>`;
    const inGroup = (content: string) => document(`<${group}>${content}</${group}>`);
    Object.assign(files, {
      [`${name}: empty entries`]: inGroup(fill(size, `<${entry}/>`)),
      [`${name}: empty groups`]: document(fill(size, `<${group}/>`)),
      [`${name}: deep nesting`]: inGroup(fill(size, "<a>")),
      [`${name}: one text`]: inGroup(`<Id>${fill(size, "x")}</Id>`),
      [`${name}: one text in an entry`]: inGroup(
        `<${entry}><AddtlNtryInf>${fill(size, "word ")}</AddtlNtryInf></${entry}>`,
      ),
      [`${name}: entities`]: inGroup(`<Id>${fill(size, "&amp;")}</Id>`),
      [`${name}: namespaces`]: document(
        "",
        fillWith(size, (index) => ` xmlns:n${index}="urn:${index}"`),
      ),
      [`${name}: comments`]: inGroup(fill(size, "<!---->")),
      [`${name}: empty lines`]: inGroup(fill(size, "\n")),
      [`${name}: unknown elements in one entry`]: inGroup(
        `<${entry}>${fill(size, "<x\n/>")}</${entry}>`,
      ),
    });
  }
  return files;
}

/** Statements that are right, with as many lines as fit. */
function camtOf(account: string, size: number, direction: "CRDT" | "DBIT"): string {
  const entries = fillWith(
    size,
    (index) =>
      `<Ntry><Amt Ccy="AUD">1.00</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${date}</Dt></BookgDt><ValDt><Dt>${date}</Dt></ValDt><AcctSvcrRef>${direction}${index}</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd></Ntry>`,
  );
  const count = BigInt(entries.split("<Ntry>").length - 1) * (direction === "CRDT" ? 1n : -1n);
  const sign = count < 0n ? "DBIT" : "CRDT";
  const balance = (code: string, amount: bigint) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="AUD">${amount < 0n ? -amount : amount}.00</Amt><CdtDbtInd>${sign}</CdtDbtInd><Dt><Dt>${date}</Dt></Dt></Bal>`;
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId><CreDtTm>${date}T08:00:00Z</CreDtTm></GrpHdr><Stmt><Id>${direction}</Id><CreDtTm>${date}T08:00:00Z</CreDtTm><Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>AUD</Ccy></Acct>${balance("OPBD", 0n)}${balance("CLBD", count)}${entries}</Stmt></BkToCstmrStmt></Document>`;
}

function plainFiles(size: number, account: string): Record<string, string> {
  const bai2 = `01,A,B,261102,0800,1,80,1,2/\n02,B,A,1,261102,0800,AUD,2/\n03,${account},AUD,010,0,,/\n`;
  const aba = abaReturns(
    { settings: { account_number: account } as never },
    Array.from({ length: Math.floor(size / 122) }, (_, index) => ({
      amount: 100,
      reference: `R${index}`,
    })),
    { date },
  );
  const nacha = nachaReports(
    date,
    Array.from({ length: Math.floor(size / 190) }, (_, index) => ({
      code: "R01",
      place: index + 1,
      account: "1234567",
      reference: `R${index}`,
      amount: 100,
    })),
  );
  const [abaHeader = ""] = aba.split("\r\n");
  const [nachaHeader = ""] = nacha.split("\n");
  const files: Record<string, string> = {
    "aba: returns": aba,
    "nacha: returns": nacha,
    "bai2: transactions": bai2 + fill(size, "16,475,100,Z,BANK,REF,TEXT/\n"),
    "bai2: commas in one record": `${bai2}16,475,100${fill(size, ",")}/\n`,
    "bai2: continuations": `${bai2}16,475,100,Z,,,/\n${fill(size, "88,x/\n")}`,
  };
  for (const [name, head] of Object.entries({ aba: abaHeader, nacha: nachaHeader, bai2 })) {
    files[`${name}: one line`] = `${head}\n${fill(size, "x")}`;
    files[`${name}: tiny lines`] = `${head}\n${fill(size, "1\n")}`;
    files[`${name}: empty lines`] = `${head}\n${fill(size, "\n")}${head}`;
  }
  return files;
}

const csvHeader = "Date,Amount,Details,Account\n";

function csvFiles(size: number): Record<string, string> {
  return {
    "csv: commas in one row": csvHeader + fill(size, ","),
    "csv: rows of commas": csvHeader + fill(size, ",,,\n"),
    "csv: empty rows": csvHeader + fill(size, "\n"),
    "csv: one cell": `${csvHeader}${date},-1.00,${fill(size, "x")},\n`,
    "csv: a quote that never ends": `${csvHeader}"${fill(size, "x\n")}`,
    "csv: quotes": csvHeader + fill(size, '"'),
    "csv: an account in each row": csvHeader + fillWith(size, (n) => `${date},-1.00,x,${n}\n`),
    "csv: short debits": csvHeader + fillWith(size, (n) => `${date},-1,${n.toString(36)},\n`),
  };
}

/** The columns of `csvFiles`. */
export const hostileCsvMapping = {
  delimiter: ",",
  skip_rows: 0,
  skip_last_rows: 0,
  has_header: true,
  date: { column: "Date", format: "YYYY-MM-DD" },
  amount: { kind: "signed", column: "Amount" },
  decimal: ".",
  group: "",
  currency: { fixed: "AUD" },
  description: ["Details"],
  account: "Account",
  order: "oldest_first",
};

/** By format and shape. `account` is that of the bank connection. */
export function hostileBankFiles(size: number, account: string): Record<string, string> {
  return {
    ...xmlFiles(size),
    "camt.053: debits": camtOf(account, size, "DBIT"),
    "camt.053: credits": camtOf(account, size, "CRDT"),
    ...plainFiles(size, account),
    ...csvFiles(size),
    "other: zeros": fill(size, "0"),
    "other: binary": fill(size, "\u0000"),
  };
}
