// Reads the consolidated list of the United Nations from its XML.

import {
  childrenOf,
  textAt,
  type XmlElement,
} from "../../../../packages/bank-formats/src/documents/index.ts";
import { aroundYear, readBirthDates, yearRange } from "./birth-dates.ts";
import { countriesIn } from "./countries.ts";
import type { EntryKind, ListEntry, ListedName } from "./list-entry.ts";
import type { ListFile, ListProblems, ReadList } from "./list-file.ts";
import { readXmlList } from "./xml-list.ts";

export function readUn(files: readonly ListFile[], problems: ListProblems): ReadList {
  const entries: ListEntry[] = [];
  let publishedDay = "";
  readXmlList(files, problems, {
    root: "CONSOLIDATED_LIST",
    containers: ["INDIVIDUALS", "ENTITIES"],
    onRoot(root) {
      publishedDay = (root.attributes.get("dateGenerated") ?? "").slice(0, 10);
    },
    onElement(element, file) {
      const kind = kinds[element.name];
      if (!kind) return;
      const entry = toEntry(element, kind);
      if (entry.key === "") problems.error(file, element, "expected a REFERENCE_NUMBER");
      if (entry.names.length === 0) problems.error(file, element, "expected a FIRST_NAME");
      entries.push(entry);
    },
  });
  return { entries, publishedDay };
}

const kinds: Record<string, EntryKind> = { INDIVIDUAL: "person", ENTITY: "organisation" };
const nameParts = ["FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME", "FIFTH_NAME"];

function toEntry(element: XmlElement, kind: EntryKind): ListEntry {
  const prefix = element.name;
  const aliases = childrenOf(element, `${prefix}_ALIAS`);
  const main = nameParts.map((part) => textAt(element, part)).filter((text) => text !== "");
  return {
    key: textAt(element, "REFERENCE_NUMBER"),
    kind,
    names: [
      ...named(main.join(" "), false),
      ...named(textAt(element, "NAME_ORIGINAL_SCRIPT"), false),
      ...aliases.flatMap((alias) => namesOfAlias(alias)),
    ],
    birthDates: [
      ...childrenOf(element, "INDIVIDUAL_DATE_OF_BIRTH").flatMap(datesOf),
      ...aliases.flatMap((alias) => readBirthDates(textAt(alias, "DATE_OF_BIRTH"))),
    ],
    countries: countryTexts(element, aliases).flatMap(countriesIn),
    program: textAt(element, "UN_LIST_TYPE"),
    remarks: [...valuesOf(element, "DESIGNATION"), textAt(element, "COMMENTS1")]
      .filter((text) => text !== "")
      .join("; "),
  };
}

function named(text: string, isWeak: boolean): ListedName[] {
  return text === "" ? [] : [{ text, isWeak }];
}

function valuesOf(element: XmlElement, name: string): string[] {
  return childrenOf(element, name).flatMap((one) =>
    childrenOf(one, "VALUE").map(({ text }) => text),
  );
}

function namesOfAlias(alias: XmlElement): ListedName[] {
  const isWeak = textAt(alias, "QUALITY").toLowerCase() === "low";
  return splitAlias(textAt(alias, "ALIAS_NAME")).map((text) => ({ text, isWeak }));
}

/**
 * The names in the text of an alias. Several are parted by semicolons. Brackets hold the same name in another script,
 * or a note such as "(birth name)", which is left out.
 */
function splitAlias(text: string): string[] {
  const inBrackets = [...text.matchAll(/\(([^)]*)\)/g)].map(([, inner = ""]) =>
    inner.replace(/^original script:\s*/i, ""),
  );
  const outside = text
    .replaceAll(/\([^)]*\)?/g, " ")
    .replace(/,\s*born\b.*$/is, "")
    .replace(/[\s,;]+$/, "");
  const otherScript = inBrackets.filter((inner) => isLatin(inner) !== isLatin(outside));
  return [outside, ...otherScript]
    .flatMap((part) => part.split(";"))
    .map((part) => part.trim())
    .filter((part) => /\p{L}/u.test(part));
}

function isLatin(text: string): boolean {
  return !/\p{L}/u.test(text.replaceAll(/\p{Script=Latin}/gu, ""));
}

function datesOf(element: XmlElement): string[] {
  const from = Number(textAt(element, "FROM_YEAR"));
  const to = Number(textAt(element, "TO_YEAR"));
  if (from && to && from <= to) return [yearRange(from, to)];
  const isAbout = textAt(element, "TYPE_OF_DATE").toUpperCase() === "APPROXIMATELY";
  const dates = readBirthDates(textAt(element, "DATE") || textAt(element, "YEAR"));
  return dates.map((date) => (isAbout && date.length === 4 ? aroundYear(Number(date)) : date));
}

function countryTexts(element: XmlElement, aliases: readonly XmlElement[]): string[] {
  const inParts = [
    ...childrenOf(element, `${element.name}_ADDRESS`),
    ...childrenOf(element, "INDIVIDUAL_PLACE_OF_BIRTH"),
  ].map((part) => textAt(part, "COUNTRY"));
  const documents = childrenOf(element, "INDIVIDUAL_DOCUMENT");
  return [
    ...valuesOf(element, "NATIONALITY"),
    ...inParts,
    ...documents.map((document) => textAt(document, "ISSUING_COUNTRY", "COUNTRY_OF_ISSUE")),
    ...aliases.map((alias) => textAt(alias, "COUNTRY_OF_BIRTH")),
  ];
}
