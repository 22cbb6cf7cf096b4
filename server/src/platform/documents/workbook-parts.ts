// The parts of a spreadsheet (.xlsx) that every reader of one needs. Written here, on the XML parser that we have: the
// libraries for spreadsheets also write, calculate and format, and need years of updates.

import { SaxesParser } from "saxes";
import type { ZipPart } from "./zip.ts";

/** The file is no spreadsheet, or is broken. Its message has no content of the file. */
export class SpreadsheetError extends Error {}

export type Parts = ReadonlyMap<string, ZipPart>;

export function textOf(parts: Parts, name: string): string {
  const part = parts.get(name);
  if (!part) throw new SpreadsheetError(`the part ${name.slice(0, 100)} is missing`);
  return new TextDecoder().decode(part.read());
}

/** In the order of the tabs. `part`: where its cells are. */
export type SheetTab = { name: string; isHidden: boolean; part: string };

export function sheetsOf(parts: Parts): SheetTab[] {
  const tabs: { name: string; isHidden: boolean; id: string }[] = [];
  walk(textOf(parts, "xl/workbook.xml"), "the workbook", {
    open(name, { name: tab = "", state = "visible", "r:id": id = "" }) {
      if (name === "sheet") tabs.push({ name: tab, isHidden: state !== "visible", id });
    },
  });
  const targets = new Map<string, string>();
  walk(textOf(parts, "xl/_rels/workbook.xml.rels"), "the workbook", {
    open(name, { Id = "", Target = "" }) {
      if (name === "Relationship") targets.set(Id, Target);
    },
  });
  return tabs.map(({ id, ...tab }) => {
    const target = targets.get(id) ?? "";
    return { ...tab, part: target.startsWith("/") ? target.slice(1) : `xl/${target}` };
  });
}

/** Texts are kept once, and cells name them by number. A text may be in several runs, each with its own style. */
export function sharedTexts(parts: Parts): string[] {
  const texts: string[] = [];
  if (!parts.has("xl/sharedStrings.xml")) return texts;
  let text = "";
  let isInText = false;
  let isPhonetic = false;
  walk(textOf(parts, "xl/sharedStrings.xml"), "the texts", {
    open(name) {
      if (name === "si") text = "";
      if (name === "rPh") isPhonetic = true;
      if (name === "t") isInText = !isPhonetic;
    },
    text(part) {
      if (isInText) text += part;
    },
    close(name) {
      if (name === "t") isInText = false;
      if (name === "rPh") isPhonetic = false;
      if (name === "si") texts.push(text);
    },
  });
  return texts;
}

export const columnsMax = 1_000;

/** From 0: the column of a cell such as "AB12". */
export function columnOfCell(reference: string): number {
  let column = 0;
  for (const letter of reference.replace(/\d+$/, "")) {
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  return column - 1;
}

type Handlers = {
  open?(name: string, attributes: Record<string, string>): void;
  text?(part: string): void;
  close?(name: string): void;
};

export function walk(xml: string, what: string, { open, text, close }: Handlers): void {
  const parser = new SaxesParser();
  parser.on("error", () => {
    throw new SpreadsheetError(`${what} is not well-formed XML`);
  });
  if (open) parser.on("opentag", ({ name, attributes }) => open(name, attributes));
  if (text) parser.on("text", text);
  if (close) parser.on("closetag", ({ name }) => close(name));
  parser.write(xml).close();
}
