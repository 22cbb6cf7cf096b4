// Payment status reports: the most specific status, its reasons, payee verification, and what real banks leave out.

import groupStatus from "@taprsvp/iso20022_external_codes/code_sets/external_payment_group_status_code.json" with {
  type: "json",
};
import transactionStatus from "@taprsvp/iso20022_external_codes/code_sets/external_payment_transaction_status_code.json" with {
  type: "json",
};
import { describe, expect, test } from "vitest";
import { readIsoMessage } from "../src/iso/iso-messages.ts";
import type { StatusRecord } from "../src/iso/pain-002-reader.ts";
import { meaningOfStatus, paymentStatusCodes } from "../src/iso/status-codes.ts";
import { change, checkMessage, problemsIn } from "./iso-problems.ts";

const report = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10">
<CstmrPmtStsRpt>
<GrpHdr><MsgId>R1</MsgId><CreDtTm>2026-11-17T10:00:00</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>file1</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId><GrpSts>PART</GrpSts></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts>
<OrgnlPmtInfId>file1-1</OrgnlPmtInfId>
<PmtInfSts>ACSP</PmtInfSts>
<StsRsnInf><AddtlInf>block</AddtlInf></StsRsnInf>
<TxInfAndSts>
<OrgnlInstrId>i1</OrgnlInstrId><OrgnlEndToEndId>payout1</OrgnlEndToEndId><OrgnlUETR>u1</OrgnlUETR><TxSts>RJCT</TxSts>
<StsRsnInf><Rsn><Cd>AC01</Cd></Rsn><AddtlInf>wrong</AddtlInf><AddtlInf>account</AddtlInf></StsRsnInf>
<StsRsnInf><Rsn><Prtry>X9</Prtry></Rsn></StsRsnInf>
<AcctSvcrRef>BANK-1</AcctSvcrRef>
</TxInfAndSts>
<TxInfAndSts><OrgnlEndToEndId>payout2</OrgnlEndToEndId></TxInfAndSts>
</OrgnlPmtInfAndSts>
<OrgnlPmtInfAndSts>
<OrgnlPmtInfId>file1-2</OrgnlPmtInfId>
<TxInfAndSts><OrgnlEndToEndId>payout3</OrgnlEndToEndId></TxInfAndSts>
</OrgnlPmtInfAndSts>
</CstmrPmtStsRpt>
</Document>
`;

function recordsOf(file: string): StatusRecord[] {
  return [...(readIsoMessage(file) ?? [])] as StatusRecord[];
}

test("a report is read with its count", () => {
  expect(checkMessage(report)).toEqual({
    format: "pain.002.001.10",
    valid: true,
    problems: [],
    count: 3,
    credit: 0,
    debit: 0,
  });
});

describe("records", () => {
  test("the most specific status wins", () => {
    expect(
      recordsOf(report).map(({ kind, status, endToEndId }) => [kind, status, endToEndId]),
    ).toEqual([
      ["group", "PART", ""],
      ["transaction", "RJCT", "payout1"],
      ["transaction", "ACSP", "payout2"],
      ["payment_information", "ACSP", ""],
      ["transaction", "PART", "payout3"],
      ["payment_information", "PART", ""],
    ]);
  });

  test("a rejected payment has its references and reasons", () => {
    expect(recordsOf(report)[1]).toEqual({
      kind: "transaction",
      line: 10,
      column: 1,
      originalMessageId: "file1",
      originalPaymentInformationId: "file1-1",
      instructionId: "i1",
      endToEndId: "payout1",
      uetr: "u1",
      status: "RJCT",
      meaning: "rejected",
      statusText: "rejected",
      reasons: [
        { code: "AC01", text: "wrong account" },
        { code: "X9", text: "" },
      ],
      accountServicerReference: "BANK-1",
    });
    expect(recordsOf(report)[3]?.reasons).toEqual([{ code: "", text: "block" }]);
  });

  test("payee verification is shown and decides nothing", () => {
    for (const code of ["RCVC", "RVCM", "RVNC", "RVMC", "RVNM", "RVNA"]) {
      const [, payment] = recordsOf(change(report, "<TxSts>RJCT", `<TxSts>${code}`));
      expect(payment).toMatchObject({ status: code, meaning: "verification" });
      expect(payment?.statusText).toMatch(/^payee/);
    }
  });

  test("a file that the bank could not read has a status of its own only", () => {
    const file = change(report, /<OrgnlPmtInfAndSts>[\s\S]*<\/OrgnlPmtInfAndSts>/, "");
    const [group, ...others] = recordsOf(change(file, "PART", "RJCT"));
    expect(group).toMatchObject({ kind: "group", originalMessageId: "file1", meaning: "rejected" });
    expect(others).toEqual([]);
  });
});

describe("problems", () => {
  const cases: [string, string | RegExp, string, string][] = [
    [
      "no header",
      /<GrpHdr>.*<\/GrpHdr>/,
      "",
      "error 3:1 expected GrpHdr in CstmrPmtStsRpt, found none",
    ],
    [
      "no original group",
      /<OrgnlGrpInfAndSts>.*<\/OrgnlGrpInfAndSts>/,
      "",
      "error 3:1 expected OrgnlGrpInfAndSts in CstmrPmtStsRpt, found none",
    ],
    [
      "no original message id",
      "<OrgnlMsgId>file1</OrgnlMsgId>",
      "",
      "warning 5:1 expected OrgnlMsgId in OrgnlGrpInfAndSts, found none",
    ],
    [
      "the wrong order",
      /(<OrgnlPmtInfId>file1-1.*>)\n(<PmtInfSts>.*>)/,
      "$2\n$1",
      "warning 8:1 expected OrgnlPmtInfId before PmtInfSts, found it after",
    ],
    [
      "a status that ISO 20022 does not list",
      "<TxSts>RJCT",
      "<TxSts>PNDG",
      'warning 11:99 expected a status of ISO 20022 in TxSts, found "PNDG"',
    ],
    [
      "no status at all",
      "<GrpSts>PART</GrpSts>",
      "",
      "warning 20:1 expected a status (TxSts) here or around it, found none",
    ],
    [
      "a mis-cased namespace",
      "<Document xmlns",
      "<Document Xmlns",
      "warning 2:1 expected the attribute xmlns, found it spelt Xmlns",
    ],
  ];
  test.each(cases)("%s", (_, part, replacement, problem) => {
    const file = change(report, part, replacement);
    expect(problemsIn(file)).toContain(problem);
    expect(checkMessage(file).valid).toBe(problem.startsWith("warning"));
  });
});

test("every status is one of ISO 20022, and every one of those is known", () => {
  const known = new Set([
    ...Object.keys(groupStatus.codes),
    ...Object.keys(transactionStatus.codes),
  ]);
  expect([...paymentStatusCodes].sort()).toEqual([...known].sort());
  expect(meaningOfStatus("ACCC")?.meaning).toBe("settled");
  expect(meaningOfStatus("ACSC")?.meaning).toBe("debited");
  expect(meaningOfStatus("PNDG")).toBeUndefined();
});
