// Account statements and notifications: entries, transactions, returns and balances, and all that can be wrong with them.

import { describe, expect, test } from "vitest";
import type { CamtRecord, EntryTransaction, StatementEntry } from "../src/iso/camt-records.ts";
import { readIsoMessage } from "../src/iso/iso-messages.ts";
import { change, checkMessage, problemsIn } from "./iso-problems.ts";

const debitEntry = `<Ntry>
  <NtryRef>1</NtryRef>
  <Amt Ccy="EUR">300.00</Amt>
  <CdtDbtInd>DBIT</CdtDbtInd>
  <Sts>BOOK</Sts>
  <BookgDt><Dt>2026-11-17</Dt></BookgDt>
  <ValDt><DtTm>2026-11-17T09:00:00+01:00</DtTm></ValDt>
  <AcctSvcrRef>BANK-1</AcctSvcrRef>
  <BkTxCd><Prtry><Cd>BATCH</Cd></Prtry></BkTxCd>
  <NtryDtls>
    <Btch><MsgId>file1</MsgId><NbOfTxs>2</NbOfTxs></Btch>
    <TxDtls>
      <Refs><MsgId>file1</MsgId><PmtInfId>file1-1</PmtInfId><EndToEndId>payout1</EndToEndId></Refs>
      <AmtDtls><TxAmt><Amt Ccy="EUR">100.00</Amt></TxAmt></AmtDtls>
      <RltdPties>
        <Cdtr><Nm>Jane Citizen</Nm></Cdtr>
        <CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct>
      </RltdPties>
      <RmtInf><Ustrd>Invoice</Ustrd><Ustrd>7</Ustrd></RmtInf>
    </TxDtls>
    <TxDtls>
      <Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>
      <AmtDtls><TxAmt><Amt Ccy="EUR">200.00</Amt></TxAmt></AmtDtls>
    </TxDtls>
  </NtryDtls>
</Ntry>`;

const returnEntry = `<Ntry>
  <Amt Ccy="EUR">100.00</Amt>
  <CdtDbtInd>CRDT</CdtDbtInd>
  <RvslInd>true</RvslInd>
  <Sts>BOOK</Sts>
  <BookgDt><Dt>2026-11-18</Dt></BookgDt>
  <BkTxCd>
    <Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>RRTN</SubFmlyCd></Fmly></Domn>
  </BkTxCd>
  <NtryDtls>
    <TxDtls>
      <Refs><InstrId>payout1</InstrId><EndToEndId>payout1</EndToEndId></Refs>
      <RltdPties>
        <Dbtr><Pty><Nm>Acme Payouts</Nm></Pty></Dbtr>
        <DbtrAcct><Id><Othr><Id>63748472</Id></Othr></Id></DbtrAcct>
      </RltdPties>
      <RmtInf><Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf></Strd></RmtInf>
      <RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>account</AddtlInf><AddtlInf>closed</AddtlInf></RtrInf>
    </TxDtls>
  </NtryDtls>
  <AddtlNtryInf>Return</AddtlNtryInf>
</Ntry>`;

const pendingEntry = `<Ntry>
  <Amt Ccy="EUR">5.00</Amt>
  <CdtDbtInd>CRDT</CdtDbtInd>
  <Sts><Cd>PDNG</Cd></Sts>
  <BkTxCd/>
</Ntry>`;

const statement = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">
<BkToCstmrStmt>
<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-18T20:00:00+01:00</CreDtTm></GrpHdr>
<Stmt>
<Id>S1</Id>
<ElctrncSeqNb>42</ElctrncSeqNb>
<CreDtTm>2026-11-18T20:00:00+01:00</CreDtTm>
<Acct><Id><IBAN>IE29AIBK93115212345678</IBAN></Id></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">150.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-17</Dt></Dt></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">50.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Dt><Dt>2026-11-18</Dt></Dt></Bal>
<TxsSummry>
<TtlNtries><NbOfNtries>3</NbOfNtries><Sum>405.00</Sum><TtlNetNtry><Amt>195.00</Amt><CdtDbtInd>DBIT</CdtDbtInd></TtlNetNtry></TtlNtries>
<TtlCdtNtries><NbOfNtries>2</NbOfNtries><Sum>105</Sum></TtlCdtNtries>
<TtlDbtNtries><NbOfNtries>1</NbOfNtries><Sum>300.0</Sum></TtlDbtNtries>
</TxsSummry>
${debitEntry}
${returnEntry}
${pendingEntry}
</Stmt>
</BkToCstmrStmt>
</Document>
`;

const notification = change(
  statement
    .replaceAll("BkToCstmrStmt", "BkToCstmrDbtCdtNtfctn")
    .replaceAll("Stmt>", "Ntfctn>")
    .replaceAll(/<Bal>.*<\/Bal>\n/g, ""),
  "camt.053.001.02",
  "camt.054.001.08",
);

function recordsOf(file: string): CamtRecord[] {
  return [...(readIsoMessage(file) ?? [])] as CamtRecord[];
}

const entriesOf = (file: string) =>
  recordsOf(file).filter((record): record is StatementEntry => record.kind === "entry");
const transactionsOf = (file: string) =>
  recordsOf(file).filter((record): record is EntryTransaction => record.kind === "transaction");

test("a statement is read with its count and sums", () => {
  expect(checkMessage(statement)).toEqual({
    format: "camt.053.001.02",
    valid: true,
    problems: [],
    count: 3,
    credit: 10_500,
    debit: 30_000,
  });
});

test("so is a notification, and a report", () => {
  const expected = { valid: true, problems: [], count: 3, credit: 10_500, debit: 30_000 };
  expect(checkMessage(notification)).toEqual({ format: "camt.054.001.08", ...expected });
  const report = notification
    .replaceAll("BkToCstmrDbtCdtNtfctn", "BkToCstmrAcctRpt")
    .replaceAll("Ntfctn>", "Rpt>")
    .replace("camt.054", "camt.052");
  expect(checkMessage(report)).toEqual({ format: "camt.052.001.08", ...expected });
});

describe("records", () => {
  test("transactions come before their entry, and the statement last", () => {
    expect(recordsOf(statement).map(({ kind }) => kind)).toEqual([
      "transaction",
      "transaction",
      "entry",
      "transaction",
      "entry",
      "entry",
      "statement",
    ]);
  });

  test("an entry has its dates, references and status", () => {
    const [debit, back, pending] = entriesOf(statement);
    expect(debit).toMatchObject({
      line: 17,
      column: 1,
      statementId: "S1",
      account: "IE29AIBK93115212345678",
      amount: 30_000n,
      currency: "EUR",
      direction: "debit",
      status: "BOOK",
      isReversal: false,
      bookingDate: "2026-11-17",
      valueDate: "2026-11-17",
      transactionCode: "BATCH",
      transactions: 2,
      returnReason: undefined,
    });
    expect(debit?.references).toMatchObject({
      accountServicerReference: "BANK-1",
      messageId: "file1",
      paymentInformationId: "",
    });
    expect(debit?.announcedTransactions).toBe(2);
    expect(back).toMatchObject({
      isReversal: true,
      information: "Return",
      transactionCode: "PMNT/ICDT/RRTN",
      returnReason: { code: "", text: "" },
    });
    expect(pending).toMatchObject({ status: "PDNG", bookingDate: "", transactions: 0 });
  });

  test("a transaction has its own amount, parties and remittance", () => {
    const [paid, other] = transactionsOf(statement);
    expect(paid).toMatchObject({
      entryLine: 17,
      amount: 10_000n,
      direction: "debit",
      bookingDate: "2026-11-17",
      references: { messageId: "file1", paymentInformationId: "file1-1", endToEndId: "payout1" },
      creditorName: "Jane Citizen",
      creditorAccount: "DE89370400440532013000",
      remittance: "Invoice 7",
    });
    const references = { endToEndId: "", messageId: "file1" };
    expect(other).toMatchObject({ amount: 20_000n, references });
  });

  test("a return has its reason, and the amount of its entry where it has none", () => {
    expect(transactionsOf(statement)[2]).toMatchObject({
      amount: 10_000n,
      direction: "credit",
      references: { instructionId: "payout1", endToEndId: "payout1" },
      debtorName: "Acme Payouts",
      debtorAccount: "63748472",
      remittance: "RF18",
      creditorReference: "RF18",
      returnReason: { code: "AC04", text: "account closed" },
    });
  });

  test("a statement has its balances, signed", () => {
    expect(recordsOf(statement).at(-1)).toEqual({
      kind: "statement",
      line: 5,
      column: 1,
      id: "S1",
      account: "IE29AIBK93115212345678",
      currency: "",
      sequence: "42",
      fromDay: "",
      toDay: "",
      createdOn: "2026-11-18",
      balances: [
        { code: "OPBD", amount: 15_000n, currency: "EUR", date: "2026-11-17" },
        { code: "CLBD", amount: -5_000n, currency: "EUR", date: "2026-11-18" },
      ],
      entries: 3,
    });
  });
});

describe("problems", () => {
  const cases: [string, string | RegExp, string, string][] = [
    [
      "a closing balance that does not follow from the entries",
      '<Amt Ccy="EUR">50.00',
      '<Amt Ccy="EUR">50.01',
      "warning 11:1 expected a closing balance of -50.00 EUR (opening balance and booked entries), found -50.01 EUR",
    ],
    [
      "a wrong number of entries",
      "<NbOfNtries>3",
      "<NbOfNtries>4",
      "warning 13:12 expected 3 as NbOfNtries of TtlNtries (the entries), found 4",
    ],
    [
      "a wrong sum of credits",
      "<Sum>105<",
      "<Sum>106<",
      "warning 14:41 expected 105.00 as Sum of TtlCdtNtries (the entries), found 106",
    ],
    [
      "a wrong net total",
      "<Amt>195.00",
      "<Amt>195.10",
      "warning 13:67 expected a net total of -195.00 (all entries), found -195.10",
    ],
    [
      "fewer transactions than announced",
      "<NbOfTxs>2",
      "<NbOfTxs>3",
      "warning 17:1 the entry announces 3 transactions (NbOfTxs), found 2",
    ],
    [
      "zeros beyond the currency's decimals",
      '"EUR">5.00',
      '"EUR">5.000',
      "warning 66:3 expected at most 2 decimals for EUR in Amt, found 3",
    ],
    [
      "digits beyond the currency's decimals",
      '"EUR">5.00',
      '"EUR">5.001',
      "error 66:3 expected at most 2 decimals for EUR in Amt, found 3",
    ],
    [
      "a currency that is no longer in use",
      'Ccy="EUR">5.00',
      'Ccy="DEM">5.00',
      "warning 66:3 expected a currency of ISO 4217 in Amt, found DEM",
    ],
    [
      "an amount that is none",
      '"EUR">5.00',
      '"EUR">5,00',
      'error 66:3 expected an amount such as 12.34 in Amt, found "5,00"',
    ],
    [
      "an amount that the books can't hold",
      '"EUR">5.00',
      '"EUR">90071992547409.92',
      'error 66:3 expected at most 90071992547409.91 in Amt, found "…409.92"',
    ],
    [
      "a direction that is none",
      "<CdtDbtInd>CRDT</CdtDbtInd>\n  <Sts><Cd>PDNG",
      "<CdtDbtInd>constructor</CdtDbtInd>\n  <Sts><Cd>PDNG",
      "error 67:3 expected CRDT or DBIT in CdtDbtInd, found another",
    ],
    [
      "a day that does not exist",
      "<Dt>2026-11-18</Dt></BookgDt>",
      "<Dt>2026-11-31</Dt></BookgDt>",
      "error 48:12 expected a date such as 2026-11-16 in BookgDt, found none",
    ],
    [
      "no statement",
      /<Stmt>[\s\S]*<\/Stmt>/,
      "",
      "error 3:1 expected Stmt in BkToCstmrStmt, found none",
    ],
    [
      "no header",
      /<GrpHdr>.*<\/GrpHdr>/,
      "",
      "error 3:1 expected GrpHdr in BkToCstmrStmt, found none",
    ],
    ["no account", /<Acct>.*<\/Acct>/, "", "error 5:1 expected Acct in Stmt, found none"],
    [
      "no balance",
      /<Bal>.*<\/Bal>\n<Bal>.*<\/Bal>/,
      "",
      "error 5:1 expected Bal in Stmt, found none",
    ],
    [
      "no code of the transaction",
      "<BkTxCd/>",
      "",
      "error 65:1 expected BkTxCd in Ntry, found none",
    ],
    [
      "the wrong order",
      /(<Id>S1<\/Id>)\n(<ElctrncSeqNb>.*>)/,
      "$2\n$1",
      "error 7:1 expected Id before ElctrncSeqNb, found it after",
    ],
  ];

  test.each(cases)("%s", (_, part, replacement, problem) => {
    const file = change(statement, part, replacement);
    expect(problemsIn(file)).toContain(problem);
    expect(checkMessage(file).valid).toBe(problem.startsWith("warning"));
  });

  test("entries in two currencies are summed apart, and only the account's move the balance", () => {
    const file = change(statement, 'Ccy="EUR">5.00', 'Ccy="JPY">500');
    expect(checkMessage(file)).toMatchObject({
      valid: true,
      credit: null,
      debit: null,
      totals: { EUR: { credit: 10_000, debit: 30_000 }, JPY: { credit: 500, debit: 0 } },
    });
  });

  test("a file that was cut off keeps what was read", () => {
    const file = statement.slice(0, statement.indexOf('<Amt Ccy="EUR">5.00'));
    expect(entriesOf(file)).toHaveLength(2);
    expect(checkMessage(file)).toMatchObject({ valid: false, count: 3 });
  });
});

test("100,000 transactions in one entry are handed over one by one", () => {
  const [transaction = ""] = /<TxDtls>[\s\S]*?<\/TxDtls>/.exec(debitEntry) ?? [];
  const file = change(statement, transaction, transaction.repeat(99_999));
  let transactions = 0;
  for (const { kind } of readIsoMessage(file) ?? []) if (kind === "transaction") transactions += 1;
  expect(transactions).toBe(100_001);
});
