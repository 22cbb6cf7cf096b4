// ISO 20022 messages as XML: recognised by namespace or element, read whatever they hold, bounded.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { xmlLimits } from "../src/documents/xml-reader.ts";
import { findMessage } from "../src/iso/messages.ts";
import { change, checkMessage, problemsIn } from "./iso-problems.ts";
import { readGolden } from "./pain-001-examples.ts";

const aud = readGolden("pain-001-03-aud");
const namespace = "urn:iso:std:iso:20022:tech:xsd:";

describe("recognition", () => {
  const recognised: [string, string, string | undefined][] = [
    [
      "by namespace",
      `<Document xmlns="${namespace}camt.053.001.08"><BkToCstmrStmt/>`,
      "camt.053.001.08",
    ],
    [
      "a namespace of a country",
      '<Document xmlns="http://bank.example/pain.002.001.03.ch.02.xsd">',
      "pain.002.001.03",
    ],
    ["a mis-cased attribute", `<Document Xmlns="${namespace}pain.002.001.10">`, "pain.002.001.10"],
    [
      "a prefix",
      `<a:Document xmlns:a="${namespace}camt.054.001.04"><a:BkToCstmrDbtCdtNtfctn>`,
      "camt.054.001.04",
    ],
    [
      "by element, where the namespace is odd",
      '<Document xmlns="urn:x"><CstmrPmtStsRpt>',
      "pain.002",
    ],
    [
      "by element, where the namespace is another message's",
      `<Document xmlns="${namespace}pain.008.001.02"><CstmrPmtStsRpt>`,
      "pain.002",
    ],
    [
      "behind comments",
      `<!-- <Document> --><?xml-model x?><Document xmlns="${namespace}camt.052.001.02">`,
      "camt.052.001.02",
    ],
    [
      "inside an envelope",
      `<DataPDU><Body><AppHdr/><Document xmlns="${namespace}camt.053.001.02"><BkToCstmrStmt>`,
      "camt.053.001.02",
    ],
    [
      "not another message",
      `<Document xmlns="${namespace}pacs.008.001.08"><FIToFICstmrCdtTrf>`,
      undefined,
    ],
    ["not a page", "<!doctype html><html><body>camt.053.001.02</body></html>", undefined],
    ["not an open comment", "<!-- <Document><BkToCstmrStmt>", undefined],
    ["not text", "camt.053.001.02", undefined],
  ];
  test.each(recognised)("%s", (_, text, name) => {
    expect(findMessage(text)?.name).toBe(name);
  });
});

describe("XML that is refused", () => {
  test("a file that was cut off", () => {
    expect(problemsIn(aud.slice(0, 400))).toEqual([
      "error 9:103 the XML is not well-formed: the file ends before all elements are closed",
    ]);
  });

  test("a document type", () => {
    const file = change(aud, "<Document", '<!DOCTYPE x [<!ENTITY a "b">]>\n<Document');
    expect(problemsIn(file)).toEqual([
      expect.stringMatching(/^error 2:\d+ a document type \(DOCTYPE\) is not allowed$/),
    ]);
  });

  test("entities other than the five predefined ones", () => {
    expect(problemsIn(change(aud, "Zoe Lukasz", "&secret12345678;"))).toEqual([
      expect.stringMatching(/^error 26:\d+ expected one of the five predefined entities/),
    ]);
    expect(problemsIn(change(aud, "Zoe Lukasz", "Zoe &amp; &#76;ukasz"))).toEqual([]);
  });

  test("tags that don't match, attributes without quotes, two roots", () => {
    const wellFormed = /^error \d+:\d+ the XML is not well-formed/;
    for (const file of [
      change(aud, "</GrpHdr>", "</GrpHd>"),
      change(aud, 'Ccy="AUD"', "Ccy=AUD"),
      `${aud}<Document/>`,
      `${aud}text`,
    ]) {
      expect(problemsIn(file)).toEqual([expect.stringMatching(wellFormed)]);
    }
  });

  test("elements nested too deep", () => {
    const deep = "<a>".repeat(xmlLimits.depth) + "</a>".repeat(xmlLimits.depth);
    expect(problemsIn(change(aud, "<Purp>", `<Purp>${deep}`))).toEqual([
      expect.stringMatching(`error 28:\\d+ elements are nested more than ${xmlLimits.depth} deep`),
    ]);
  });

  test("a record with too many elements", () => {
    const many = "<Ustrd>a</Ustrd>".repeat(xmlLimits.elements);
    expect(problemsIn(change(aud, "<RmtInf>", `<RmtInf>${many}`))).toEqual([
      expect.stringMatching(`one record has more than ${xmlLimits.elements} elements`),
    ]);
  });

  test("text between elements", () => {
    expect(problemsIn(change(aud, "<GrpHdr>", "hello <GrpHdr>"))).toEqual([
      "error 3:3 CstmrCdtTrfInitn holds text between its elements; expected elements only",
    ]);
  });

  test("two messages in a file, or none", () => {
    const [message = ""] = /<CstmrCdtTrfInitn>[\s\S]*<\/CstmrCdtTrfInitn>/.exec(aud) ?? [];
    expect(problemsIn(change(aud, message, message + message))).toContainEqual(
      expect.stringMatching(/^error \d+:22 expected one message in the file, found another$/),
    );
    expect(problemsIn(`<Document xmlns="${namespace}pain.002.001.03"></Document>`)).toEqual([
      "error 0:0 expected a message of pain.002.001.03 in the file, found none",
    ]);
  });
});

describe("XML that is read", () => {
  test("prefixes, line ends, comments, character data and envelopes change nothing", () => {
    const prefixed = aud.replace(/<(\/?)(?=[A-Z])/g, "<$1p:").replace("xmlns=", "xmlns:p=");
    const { format, valid, count, credit } = checkMessage(aud);
    for (const file of [
      prefixed,
      aud.replaceAll("\n", "\r\n"),
      aud.replaceAll("\n", ""),
      change(aud, "Zoe Lukasz", "<![CDATA[Zoe]]> <!-- a -->Lukasz"),
      change(aud, "<Document", "<Envelope><AppHdr><Fr>x</Fr></AppHdr><Document").concat(
        "</Envelope>",
      ),
      change(aud, "<PmtInf>", "<PmtInf\n>"),
      `\uFEFF${aud}`,
    ]) {
      expect(checkMessage(file)).toEqual({ format, valid, problems: [], count, credit, debit: 0 });
    }
  });

  test("a tag that is broken over lines has the place of its beginning", () => {
    const file = change(aud, "<NbOfTxs>2", "<NbOfTxs\n>3");
    expect(problemsIn(file)).toEqual(["error 7:7 expected 2 in NbOfTxs (the transfers), found 3"]);
  });

  test("any change of a file is read without an exception, at a place inside it", () => {
    const lines = aud.split("\n").length;
    fc.assert(
      fc.property(
        fc.nat(aud.length),
        fc.nat(60),
        fc.string({ unit: "binary", maxLength: 12 }),
        (start, length, text) => {
          const file = aud.slice(0, start) + text + aud.slice(start + length);
          for (const { line, column, message } of checkMessage(file).problems) {
            expect(line).toBeLessThanOrEqual(lines + 12);
            expect(column).toBeGreaterThanOrEqual(line === 0 ? 0 : 1);
            expect(message).not.toMatch(/\n|undefined|\[object/);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test("20,000 transfers cost no more each than 2,000 do", () => {
    const [transfer = ""] = / *<CdtTrfTxInf>[\s\S]*?<\/CdtTrfTxInf>\n/.exec(aud) ?? [];
    const millisecondsFor = (count: number) => {
      const file = change(aud, transfer, transfer.repeat(count));
      const start = process.cpuUsage().user;
      expect(checkMessage(file).count).toBe(count + 1);
      return (process.cpuUsage().user - start) / 1000 / count;
    };
    millisecondsFor(2_000);
    const small = millisecondsFor(2_000);
    expect(millisecondsFor(20_000)).toBeLessThan(4 * small);
  });
});
