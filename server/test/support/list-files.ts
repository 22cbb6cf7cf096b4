// Small files in the layouts of the publishers of sanctions lists. All people in them are made up.

import type { ListFile } from "../../src/people/list-files/list-file.ts";
import { type Cell, spreadsheet } from "./spreadsheets.ts";

export function textFile(name: string, text: string): ListFile {
  return { name, bytes: Buffer.from(text) };
}

const nothing = "-0- ";

type OfacRow = {
  key: number;
  name: string;
  type?: "individual" | "vessel" | "aircraft";
  program?: string;
  title?: string;
  flag?: string;
  remarks?: string;
};

/** A row of sdn.csv. */
export function sdnRow(row: OfacRow): string {
  const { key, name, type, program = "TEST", title, flag, remarks } = row;
  const cell = (text: string | undefined) => (text === undefined ? nothing : `"${text}"`);
  const before = [key, cell(name), cell(type), cell(program), cell(title)];
  return [...before, nothing, nothing, nothing, nothing, cell(flag), nothing, cell(remarks)].join();
}

/** The three files, with the character that ends each of them. */
export function ofacFiles(
  rows: readonly OfacRow[],
  names: readonly string[] = [],
  addresses: readonly string[] = [],
): ListFile[] {
  const file = (name: string, lines: readonly string[]) =>
    textFile(name, `${lines.map((line) => `${line}\r\n`).join("")}\u001A`);
  const first = rows[0]?.key ?? 0;
  return [
    file("sdn.csv", rows.map(sdnRow)),
    file("alt.csv", names.length > 0 ? names : [`${first},1,"aka","OTHER NAME",${nothing}`]),
    file(
      "add.csv",
      addresses.length > 0 ? addresses : [`${first},1,${nothing},"Some Town","Panama",${nothing}`],
    ),
  ];
}

export type UnPerson = { key: string; names: string[]; more?: string };

export function unFile(people: readonly UnPerson[], day = "2026-11-01", entities = ""): ListFile {
  const tags = ["FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME"];
  const individuals = people.map(({ key, names, more = "" }) => {
    const parts = names.map((name, index) => `<${tags[index]}>${name}</${tags[index]}>`).join("");
    return `<INDIVIDUAL><DATAID>1</DATAID>${parts}<UN_LIST_TYPE>Test</UN_LIST_TYPE>
      <REFERENCE_NUMBER>${key}</REFERENCE_NUMBER>${more}</INDIVIDUAL>`;
  });
  return textFile(
    "consolidated.xml",
    `<?xml version="1.0" encoding="UTF-8"?>
<CONSOLIDATED_LIST dateGenerated="${day}T00:00:00.000Z">
<INDIVIDUALS>${individuals.join("\n")}</INDIVIDUALS>
<ENTITIES>${entities}</ENTITIES>
</CONSOLIDATED_LIST>`,
  );
}

/** People numbered from 1. */
export function unPeople(count: number): UnPerson[] {
  return Array.from({ length: count }, (_, index) => ({
    key: `TEi.${String(index + 1).padStart(3, "0")}`,
    names: ["PERSON", `NUMBER${index + 1}`],
  }));
}

export function dfatFile(rows: readonly (readonly Cell[])[]): ListFile {
  return { name: "dfat.xlsx", bytes: spreadsheet(rows) };
}

export function euFile(entities: string): ListFile {
  return textFile(
    "20261102-FULL-1_1.xml",
    `<?xml version="1.0" encoding="UTF-8"?>
<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="2026-11-02T12:00:00.000+01:00" globalFileId="1">${entities}</export>`,
  );
}

export const ukHeader =
  "Last Updated,Unique ID,OFSI Group ID,UN Reference Number,Name 6,Name 1,Name 2,Name 3,Name 4,Name 5,Name type," +
  "Alias strength,Title,Name non-latin script,Regime Name,Designation Type,Other Information,Address Country,D.O.B," +
  "Nationality(/ies),Country of birth";

export function ukFile(rows: readonly string[], header = ukHeader): ListFile {
  const lines = ["Report Date: 02-Nov-2026", header, ...rows];
  return textFile("UK-Sanctions-List.csv", `\uFEFF${lines.join("\r\n")}\r\n`);
}
