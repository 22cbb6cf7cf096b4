// PDF documents with a table: read again with a reader of our own.

import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { PdfRow, TablePdf } from "../../../src/platform/documents/table.ts";
import { writeTablePdf } from "../../../src/platform/documents/table-pdf.ts";
import { readPdf } from "../../support/pdf-reader.ts";

const columns: TablePdf["columns"] = [
  { title: "Date", width: 2 },
  { title: "Name", width: 3 },
  { title: "Amount", width: 2, align: "right" },
];
const facts: TablePdf["facts"] = [
  ["Subaccount", "Acme Pty Ltd"],
  ["Currency", "AUD"],
];
const base = { title: "Statement", facts, columns, createdAtMs: Date.UTC(2026, 9, 31, 12) };

const write = (rows: TablePdf["rows"], more: Partial<TablePdf> = {}) =>
  buffer(writeTablePdf({ ...base, ...more, rows }));
const rowsOf = (count: number): PdfRow[] =>
  Array.from({ length: count }, (_, place) => ["2026-10-01", `Receiver ${place}`, `-${place}.00`]);

test("the same input gives the same bytes, whenever it is written", async () => {
  const hash = async (more: Partial<TablePdf> = {}) =>
    createHash("sha256")
      .update(await write(rowsOf(120), more))
      .digest("hex");
  const first = await hash();
  expect(await hash()).toBe(first);
  expect(await hash({ createdAtMs: base.createdAtMs + 1000 })).not.toBe(first);
  expect(await hash({ title: "Another" })).not.toBe(first);
});

test("title, language, time and facts are in the document", async () => {
  const pdf = readPdf(await write(rowsOf(1)));
  expect(pdf).toMatchObject({ title: "Statement", language: "en", isTagged: true });
  expect(pdf.createdAt).toBe("D:20261031120000Z");
  expect(pdf.lines[0]?.slice(0, 5)).toEqual([
    "Statement",
    "Subaccount  | Acme Pty Ltd",
    "Currency  | AUD",
    "Date | Name | Amount",
    "2026-10-01 | Receiver 0 | -0.00",
  ]);
});

test("a table continues over pages, each with its header and its number", async () => {
  const pdf = readPdf(await write(rowsOf(150)));
  const { lines } = pdf;
  expect(lines.length).toBeGreaterThan(2);
  for (const [place, page] of lines.entries()) {
    expect(page.filter((line) => line === "Date | Name | Amount")).toHaveLength(1);
    expect(page.at(-1)).toBe(`Statement | Page ${place + 1} of  | ${lines.length}`);
  }
  const names = lines.flat().flatMap((line) => /Receiver \d+/.exec(line) ?? []);
  expect(names).toEqual(rowsOf(150).map((row) => (row as string[])[1]));
});

test("every cell is tagged, and repeated headers are not read out", async () => {
  const pdf = readPdf(await write([...rowsOf(150), { strong: ["", "Total", "-1.00"] }]));
  expect({ th: pdf.tags("TH"), td: pdf.tags("TD"), table: pdf.tags("Table") }).toEqual({
    th: 3,
    td: 151 * 3,
    table: 1,
  });
  expect(pdf.tags("TR")).toBe(152);
  expect(pdf.tags("TBody")).toBe(pdf.pages.length);
});

test("amounts end at the same place, so that their decimals are below each other", async () => {
  const pdf = readPdf(
    await write([
      ["", "a", "1.00"],
      ["", "b", "1,000.00"],
    ]),
  );
  const place = (wanted: string) => pdf.pages[0]?.find(({ text }) => text === wanted)?.x as number;
  expect(place("1.00")).toBeGreaterThan(place("1,000.00"));
});

test.each([
  ["Łukasz Żółć", "Łukasz Żółć"],
  ["Анна Каренина", "Анна Каренина"],
  ["Ὀδυσσεύς", "Ὀδυσσεύς"],
  ["Zoë (decomposed)", "Zoë (decomposed)"],
  ["李明", "LiMing"],
  ["שלום 12", "12 םולש"],
  ["tab\tand\nline", "tab and line"],
])("the name %j is shown as %j", async (name, shown) => {
  const pdf = readPdf(await write([["", name, ""]]));
  expect(pdf.pages[0]?.map(({ text }) => text)).toContain(shown.normalize("NFC"));
});

test("a long text continues on the next line of its cell, and none of it is lost", async () => {
  const text = `words ${"of a long reference ".repeat(8)}${"x".repeat(120)}`;
  const pdf = readPdf(await write([["2026-10-01", text, "1.00"]]));
  const [date] = pdf.pages[0]?.filter((one) => one.text === "2026-10-01") ?? [];
  const column = pdf.pages[0]?.find((one) => one.text.startsWith("words"))?.x;
  const lines = pdf.pages[0]?.filter(({ x, y }) => x === column && y <= (date?.y ?? 0)) ?? [];
  expect(lines.length).toBeGreaterThan(3);
  const joined = lines.map((one) => one.text).join("");
  expect(joined.replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
});

test("a title with the characters of XML leaves the document valid", async () => {
  const pdf = readPdf(await write(rowsOf(1), { title: "Smith & <Sons>" }));
  expect(pdf.lines[0]?.[0]).toBe("Smith & <Sons>");
  expect(pdf.title).not.toMatch(/[<>&]/);
});

test("a page leaves before the rows have ended", async () => {
  let read = 0;
  async function* rows(): AsyncGenerator<PdfRow> {
    for (const row of rowsOf(5_000)) {
      read += 1;
      yield row;
    }
  }
  const stream = writeTablePdf({ ...base, rows: rows() });
  for await (const _ of stream) {
    if (read > 0) break;
  }
  expect(read).toBeLessThan(1_000);
});

test("an error of the rows is the error of the stream", async () => {
  function* rows(): Generator<PdfRow> {
    yield ["", "one", ""];
    throw new Error("the database is gone");
  }
  await expect(write(rows())).rejects.toThrow("the database is gone");
});

test("a table without rows has its header", async () => {
  const pdf = readPdf(await write([]));
  expect(pdf.lines[0]).toContain("Date | Name | Amount");
  expect(pdf.lines).toHaveLength(1);
});

test("words from right to left stand in their order, with joined letters, beside others", async () => {
  const shown = async (name: string) => {
    const { lines } = readPdf(await write([], { facts: [["Paid to", name]] }));
    return lines
      .flat()
      .find((line) => line.startsWith("Paid to"))
      ?.replace(/^.*\| /, "");
  };
  const reversed = (text: string) => Array.from(text).reverse().join("");
  expect(await shown("יוסף כהן")).toBe(reversed("יוסף כהן"));
  expect(await shown("Ada יוסף Byron")).toBe(`Ada ${reversed("יוסף")} Byron`);
  expect(await shown("יוסף Byron")).toBe(`Byron ${reversed("יוסף")}`);
  expect(await shown("כהן (2)")).toBe(`(2) ${reversed("כהן")}`);
  expect((await shown("محمد"))?.normalize("NFKC")).toBe(reversed("محمد"));
  for (const name of ["Łukasz Đorđević", "Ελένη", "Юлія Ґалаґан", "Արամ", "ნინო", "ສົມ"]) {
    expect(await shown(name)).toBe(name);
  }
  expect(await shown("李明")).toBe("LiMing");
});
