// Lines of camt statements and notifications: entries and their transactions, balances, days, and what tells entries apart.

import { describe, expect, test } from "vitest";
import { readStatement } from "../src/statement.ts";
import type { StatementLine } from "../src/statement-records.ts";
import { readWhole } from "./read-whole.ts";

const ours = "IE29AIBK93115212345678";

type EntryParts = {
  amount?: string;
  direction?: "CRDT" | "DBIT";
  status?: string;
  details?: string;
  more?: string;
  reference?: string;
  days?: string;
};

function entry(parts: EntryParts = {}): string {
  const days = "<BookgDt><Dt>2026-11-17</Dt></BookgDt><ValDt><Dt>2026-11-18</Dt></ValDt>";
  const reference = parts.reference ?? "BANK-1";
  return `<Ntry><Amt Ccy="EUR">${parts.amount ?? "100.00"}</Amt><CdtDbtInd>${parts.direction ?? "CRDT"}</CdtDbtInd>${parts.more ?? ""}
<Sts>${parts.status ?? "BOOK"}</Sts>${parts.days ?? days}${reference ? `<AcctSvcrRef>${reference}</AcctSvcrRef>` : ""}
<BkTxCd><Prtry><Cd>TRF</Cd></Prtry></BkTxCd>${parts.details ? `<NtryDtls>${parts.details}</NtryDtls>` : ""}<AddtlNtryInf>As the bank says</AddtlNtryInf></Ntry>`;
}

const transaction = (amount: string, inside = "", currency = "EUR") =>
  `<TxDtls><Refs><EndToEndId>pay${amount}</EndToEndId></Refs><AmtDtls><TxAmt><Amt Ccy="${currency}">${amount}</Amt></TxAmt></AmtDtls>${inside}</TxDtls>`;

const balance = (code: string, amount: string, direction = "CRDT", day = "2026-11-17") =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;

const period =
  "<FrToDt><FrDtTm>2026-11-17T00:00:00</FrDtTm><ToDtTm>2026-11-18T00:00:00</ToDtTm></FrToDt>";

function statementOf(
  entries: string,
  balances = balance("CLBD", "250.00"),
  frame = period,
): string {
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.04"><BkToCstmrStmt>
<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-18T20:00:00</CreDtTm></GrpHdr>
<Stmt><Id>S1</Id><ElctrncSeqNb>42</ElctrncSeqNb><CreDtTm>2026-11-18T20:00:00</CreDtTm>${frame}
<Acct><Id><IBAN>${ours}</IBAN></Id><Ccy>EUR</Ccy></Acct>${balances}
${entries}
</Stmt></BkToCstmrStmt></Document>`;
}

function notificationOf(entries: string): string {
  return statementOf(entries, "")
    .replace("camt.053", "camt.054")
    .replaceAll("BkToCstmrStmt", "BkToCstmrDbtCdtNtfctn")
    .replaceAll("Stmt>", "Ntfctn>");
}

const linesOf = (entries: string) => readWhole(statementOf(entries)).lines;
const only = (entries: string) => linesOf(entries)[0] as StatementLine;

test("an entry without transactions is one line", () => {
  const { lines, ends, errors } = readWhole(
    statementOf(entry({ direction: "DBIT", amount: "5.00" })),
  );
  expect(errors).toEqual([]);
  expect(lines).toEqual([
    {
      kind: "line",
      place: { line: 5, column: 1 },
      account: ours,
      day: "2026-11-17",
      valueDay: "2026-11-18",
      amount: -500n,
      currency: "EUR",
      isReversal: false,
      returnReason: undefined,
      code: "TRF",
      bankReference: "BANK-1",
      endToEndId: "",
      instructionId: "",
      messageId: "",
      paymentInformationId: "",
      uetr: "",
      customerReference: "",
      partyName: "",
      partyAccount: "",
      text: "As the bank says",
      entryReference: "BANK-1",
      entryKey: expect.any(String),
      entryLines: 1,
      entryLine: 1,
    },
  ]);
  expect(ends).toEqual([
    {
      kind: "statement",
      place: { line: 3, column: 1 },
      form: "statement",
      account: ours,
      currency: "EUR",
      bankId: "S1",
      sequence: "42",
      fromDay: "2026-11-17",
      toDay: "2026-11-17",
      opening: 25_500n,
      closing: 25_000n,
      lines: 1,
    },
  ]);
});

describe("transactions of an entry", () => {
  const batch = "<Btch><MsgId>file1</MsgId><PmtInfId>block1</PmtInfId><NbOfTxs>2</NbOfTxs></Btch>";

  test("that add up to it are the lines, with the references of the batch", () => {
    const details = `${batch}${transaction("60.00")}${transaction("40.00")}`;
    expect(linesOf(entry({ details }))).toMatchObject([
      { amount: 6_000n, endToEndId: "pay60.00", messageId: "file1", entryLines: 2, entryLine: 1 },
      {
        amount: 4_000n,
        endToEndId: "pay40.00",
        paymentInformationId: "block1",
        entryLine: 2,
        text: "As the bank says",
      },
    ]);
  });

  test("that don't add up to it are left out, and the entry is the line", () => {
    const details = `${batch}${transaction("60.00")}${transaction("30.00")}`;
    expect(linesOf(entry({ details }))).toMatchObject([
      { amount: 10_000n, endToEndId: "", messageId: "file1", paymentInformationId: "block1" },
    ]);
  });

  test("that are debits inside of a credit count with their sign", () => {
    const debit = transaction("20.00").replace(
      "<AmtDtls>",
      '<Amt Ccy="EUR">20.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><AmtDtls>',
    );
    const details = `${transaction("120.00")}${debit}`;
    expect(linesOf(entry({ details })).map(({ amount }) => amount)).toEqual([12_000n, -2_000n]);
  });

  test("one alone has the amount of the entry, whatever its own currency", () => {
    const details = transaction("108.00", "", "USD");
    expect(linesOf(entry({ details }))).toMatchObject([
      { amount: 10_000n, currency: "EUR", endToEndId: "pay108.00" },
    ]);
  });

  test("one of several that the bank announces says nothing about the others", () => {
    const details = `${batch}${transaction("60.00")}`;
    expect(linesOf(entry({ details }))).toMatchObject([{ amount: 10_000n, endToEndId: "" }]);
  });

  test("in another currency count by their amount in the currency of the entry", () => {
    const foreign = (usd: string, eur: string) =>
      transaction(usd, "", "USD").replace(
        "</TxAmt>",
        `</TxAmt><CntrValAmt><Amt Ccy="EUR">${eur}</Amt></CntrValAmt>`,
      );
    const details = `${foreign("65.00", "60.00")}${foreign("43.00", "40.00")}`;
    expect(linesOf(entry({ details })).map(({ amount }) => amount)).toEqual([6_000n, 4_000n]);
  });

  test("without amounts of their own are left out if there are several", () => {
    const bare = "<TxDtls><Refs><EndToEndId>a</EndToEndId></Refs></TxDtls>";
    expect(linesOf(entry({ details: `${bare}${bare}` }))).toMatchObject([
      { entryLines: 1, amount: 10_000n },
    ]);
  });
});

describe("texts and parties", () => {
  const parties = `<RltdPties><Dbtr><Nm>Payer</Nm></Dbtr><DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct>
<Cdtr><Nm>Us</Nm></Cdtr><CdtrAcct><Id><IBAN>${ours}</IBAN></Id></CdtrAcct></RltdPties>`;
  const remittance = `<RmtInf><Ustrd>Free</Ustrd><Strd><RfrdDocInf><Nb>INV-7</Nb></RfrdDocInf><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf>
<AddtlRmtInf>more</AddtlRmtInf></Strd></RmtInf>`;

  test("remittance, structured remittance and information are one text", () => {
    const details = transaction("100.00", `${remittance}<AddtlTxInf>wire</AddtlTxInf>`);
    expect(only(entry({ details }))).toMatchObject({
      text: "Free RF18 INV-7 more wire As the bank says",
      customerReference: "RF18",
    });
  });

  test("the party of a credit is the payer, of a debit the payee", () => {
    const credit = only(entry({ details: transaction("100.00", parties) }));
    expect(credit).toMatchObject({ partyName: "Payer", partyAccount: "DE89370400440532013000" });
    const swapped = parties
      .replaceAll("Dbtr", "x")
      .replaceAll("Cdtr", "Dbtr")
      .replaceAll("x", "Cdtr");
    const debit = only(entry({ direction: "DBIT", details: transaction("100.00", swapped) }));
    expect(debit).toMatchObject({ partyName: "Payer", partyAccount: "DE89370400440532013000" });
  });

  test("the party of a return is never us, whether the bank swaps the parties or not", () => {
    const reason = "<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>";
    const kept = parties.replaceAll("Dbtr", "x").replaceAll("Cdtr", "Dbtr").replaceAll("x", "Cdtr");
    for (const each of [parties, kept]) {
      const back = only(entry({ details: transaction("100.00", `${each}${reason}`) }));
      expect(back).toMatchObject({ partyName: "Payer", returnReason: { code: "AC04", text: "" } });
    }
  });

  test("a party of version 08 may be a bank, or act for another", () => {
    const bank =
      "<RltdPties><Dbtr><Agt><FinInstnId><Nm>A Bank</Nm></FinInstnId></Agt></Dbtr></RltdPties>";
    expect(only(entry({ details: transaction("100.00", bank) })).partyName).toBe("A Bank");
    const other = "<RltdPties><UltmtDbtr><Pty><Nm>Behind</Nm></Pty></UltmtDbtr></RltdPties>";
    expect(only(entry({ details: transaction("100.00", other) })).partyName).toBe("Behind");
  });

  test("words that mean no reference are none", () => {
    const details = transaction("100.00").replace("pay100.00", "NOTPROVIDED");
    expect(only(entry({ details, reference: "NONREF" }))).toMatchObject({
      endToEndId: "",
      bankReference: "",
    });
  });

  test("a UETR is kept", () => {
    const uetr = "255ae394-9965-4438-ac86-f406feada396";
    const details = transaction("100.00").replace(
      "</EndToEndId>",
      `</EndToEndId><UETR>${uetr}</UETR>`,
    );
    expect(only(entry({ details })).uetr).toBe(uetr);
  });
});

describe("what is no line", () => {
  test("pending entries and entries of zero are left out", () => {
    const entries = `${entry({ status: "<Cd>PDNG</Cd>" })}${entry({ amount: "0.00" })}${entry()}`;
    const { lines, ends } = readWhole(statementOf(entries));
    expect(lines).toHaveLength(1);
    expect(ends[0]).toMatchObject({ lines: 1, opening: 15_000n });
  });
});

describe("days", () => {
  test("the value date, and then the day of the statement, stand in for the booking", () => {
    const value = "<ValDt><DtTm>2026-11-16T09:00:00+01:00</DtTm></ValDt>";
    expect(only(entry({ days: value })).day).toBe("2026-11-16");
    expect(only(entry({ days: "" }))).toMatchObject({ day: "2026-11-18", valueDay: "" });
  });

  test("a statement without a period has the days of its lines and balances", () => {
    const balances = `${balance("OPBD", "1.00", "CRDT", "2026-11-14")}${balance("CLBD", "101.00", "CRDT", "2026-11-19")}`;
    const [end] = readWhole(statementOf(entry(), balances, "")).ends;
    expect(end).toMatchObject({ fromDay: "2026-11-17", toDay: "2026-11-19" });
  });

  test.each([
    ["2026-11-17T23:59:59", "2026-11-17"],
    ["2026-11-19T00:00:00+01:00", "2026-11-18"],
    ["2026-11-17T00:00:00", "2026-11-17"],
  ])("a period until %s ends on %s", (until, day) => {
    const file = statementOf(entry(), undefined, period.replace("2026-11-18T00:00:00", until));
    expect(readWhole(file).ends[0]?.toDay).toBe(day);
  });
});

describe("balances", () => {
  const endOf = (balances: string) => readWhole(statementOf(entry(), balances)).ends[0];

  test.each([
    [
      "opening and closing",
      balance("OPBD", "50.00", "DBIT") + balance("CLBD", "50.00"),
      -5_000n,
      5_000n,
    ],
    [
      "the closing before, and closing",
      balance("PRCD", "1.00") + balance("CLBD", "101.00"),
      100n,
      10_100n,
    ],
    ["closing alone", balance("CLBD", "101.00"), 100n, 10_100n],
    ["opening alone", balance("OPBD", "1.00"), 100n, 10_100n],
    ["a first page", balance("OPBD", "1.00") + balance("ITBD", "101.00"), 100n, 10_100n],
    ["a page between", balance("ITBD", "1.00") + balance("ITBD", "101.00"), 100n, 10_100n],
    ["a last page", balance("ITBD", "1.00") + balance("CLBD", "101.00"), 100n, 10_100n],
    ["only what is available", balance("CLAV", "101.00"), undefined, undefined],
    ["an interim one that lines don't lead to", balance("ITBD", "7.00"), undefined, undefined],
    [
      "some that don't add up, as the bank says them",
      balance("OPBD", "1.00") + balance("CLBD", "7.00"),
      100n,
      700n,
    ],
  ])("%s", (_, balances, opening, closing) => {
    expect(endOf(balances)).toMatchObject({ opening, closing });
  });
});

describe("what tells entries apart", () => {
  const keys = (file: string) => readWhole(file).lines.map(({ entryKey }) => entryKey);

  test("the same entry has the same key in a notification and a statement, split or not", () => {
    const details = `${transaction("60.00")}${transaction("40.00")}`;
    const told = readWhole(notificationOf(entry({ details })));
    expect(told.ends[0]).toMatchObject({
      form: "notification",
      opening: undefined,
      closing: undefined,
    });
    expect(told.lines).toHaveLength(2);
    const [first, second] = keys(notificationOf(entry({ details })));
    expect([first, second]).toEqual([first, first]);
    expect(keys(statementOf(entry()))).toEqual([first]);
  });

  test("entries with the same reference and another amount or day are others", () => {
    const days = "<BookgDt><Dt>2026-11-16</Dt></BookgDt>";
    const entries = `${entry()}${entry({ amount: "7.00" })}${entry({ days })}${entry({ direction: "DBIT" })}`;
    expect(new Set(keys(statementOf(entries))).size).toBe(4);
  });

  test("entries that are equal in everything are numbered, the same in every file", () => {
    const twice = keys(statementOf(`${entry({ reference: "" })}${entry({ reference: "" })}`));
    expect(new Set(twice).size).toBe(2);
    expect(keys(statementOf(entry({ reference: "" })))).toEqual(twice.slice(0, 1));
  });

  test("without a reference of the bank, the content tells entries apart", () => {
    const one = entry({ reference: "", details: transaction("100.00") });
    const other = one.replace("pay100.00", "another");
    expect(new Set(keys(statementOf(`${one}${other}`))).size).toBe(2);
    expect(readWhole(statementOf(one)).lines[0]?.entryReference).toBe("");
  });

  test("a reference that only the transaction has is the entry's, where it is the only one", () => {
    const details = transaction("100.00").replace(
      "<Refs>",
      "<Refs><AcctSvcrRef>TX-1</AcctSvcrRef>",
    );
    expect(only(entry({ reference: "", details })).entryReference).toBe("TX-1");
  });
});

test("an account report (camt.052) is a report: nothing can be booked by it", () => {
  const report = notificationOf(entry())
    .replace("camt.054", "camt.052")
    .replaceAll("BkToCstmrDbtCdtNtfctn", "BkToCstmrAcctRpt")
    .replaceAll("Ntfctn>", "Rpt>");
  expect(readWhole(report).ends).toMatchObject([{ form: "report", lines: 1 }]);
});

test("a text that is no statement can't be read without a mapping", () => {
  expect(() => readStatement("Date,Amount\n2026-11-17,1.00\n")).toThrow(RangeError);
});
