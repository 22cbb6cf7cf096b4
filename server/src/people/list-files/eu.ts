// Reads the financial sanctions list of the European Union from its XML export, version 1.1.

import {
  childrenOf,
  type XmlElement,
} from "../../../../packages/bank-formats/src/documents/index.ts";
import { aroundYear, readBirthDates, yearRange } from "./birth-dates.ts";
import { countriesIn, countryOfAlpha2 } from "./countries.ts";
import type { ListEntry, ListedName } from "./list-entry.ts";
import type { ListFile, ListProblems, ReadList } from "./list-file.ts";
import { readXmlList } from "./xml-list.ts";

export function readEu(files: readonly ListFile[], problems: ListProblems): ReadList {
  const entries: ListEntry[] = [];
  let publishedDay = "";
  readXmlList(files, problems, {
    root: "export",
    onRoot(root) {
      publishedDay = (root.attributes.get("generationDate") ?? "").slice(0, 10);
    },
    onElement(element, file) {
      if (element.name !== "sanctionEntity") return;
      const entry = toEntry(element);
      if (entry.key === "")
        problems.error(file, element, "expected a euReferenceNumber or a logicalId");
      if (entry.names.length === 0) problems.error(file, element, "expected a nameAlias");
      entries.push(entry);
    },
  });
  return { entries, publishedDay };
}

function toEntry(element: XmlElement): ListEntry {
  const [subject] = childrenOf(element, "subjectType");
  const isPerson =
    subject?.attributes.get("classificationCode") === "P" ||
    subject?.attributes.get("code") === "person";
  const programs = childrenOf(element, "regulation").map((one) => attribute(one, "programme"));
  const births = childrenOf(element, "birthdate");
  const places = ["citizenship", "address", "identification"].flatMap((name) =>
    childrenOf(element, name),
  );
  return {
    key: attribute(element, "euReferenceNumber") || attribute(element, "logicalId"),
    kind: isPerson ? "person" : "organisation",
    names: namesOf(element),
    birthDates: births.flatMap(datesOf),
    countries: [...places, ...births].flatMap(countryOf),
    program: [...new Set(programs.filter((text) => text !== ""))].sort().join(", "),
    remarks: [attribute(element, "designationDetails"), ...remarksOf(element)]
      .filter((text) => text !== "")
      .join("; "),
  };
}

function attribute(element: XmlElement, name: string): string {
  return (element.attributes.get(name) ?? "").trim();
}

function remarksOf(element: XmlElement): string[] {
  const own = childrenOf(element, "remark").map(({ text }) => text);
  const functions = childrenOf(element, "nameAlias").map((alias) => attribute(alias, "function"));
  return [...new Set([...functions, ...own])];
}

/** The strong names come first: the first name of an entry stands for it. */
function namesOf(element: XmlElement): ListedName[] {
  const names = childrenOf(element, "nameAlias").map((alias) => ({
    text: attribute(alias, "wholeName") || partsOf(alias),
    isWeak: attribute(alias, "strong") === "false",
  }));
  const given = names.filter(({ text }) => text !== "");
  return [...given.filter(({ isWeak }) => !isWeak), ...given.filter(({ isWeak }) => isWeak)];
}

function partsOf(alias: XmlElement): string {
  const parts = ["firstName", "middleName", "lastName"].map((name) => attribute(alias, name));
  return parts.filter((part) => part !== "").join(" ");
}

/** Only dates of the Gregorian calendar can be compared. */
function datesOf(birth: XmlElement): string[] {
  const calendar = attribute(birth, "calendarType");
  if (calendar !== "" && calendar !== "GREGORIAN") return [];
  const from = Number(attribute(birth, "yearRangeFrom"));
  const to = Number(attribute(birth, "yearRangeTo"));
  if (from > 0 && to >= from) return [yearRange(from, to)];
  const year = attribute(birth, "year");
  const parts = [year, attribute(birth, "monthOfYear"), attribute(birth, "dayOfMonth")];
  const text =
    attribute(birth, "birthdate") ||
    parts
      .slice(0, parts.includes("") ? parts.indexOf("") : 3)
      .map((part) => part.padStart(2, "0"))
      .join("-");
  const isAbout = attribute(birth, "circa") === "true";
  return readBirthDates(text).map((date) =>
    isAbout && date.length === 4 ? aroundYear(Number(date)) : date,
  );
}

function countryOf(element: XmlElement): string[] {
  const code = countryOfAlpha2(attribute(element, "countryIso2Code"));
  return code ? [code] : countriesIn(attribute(element, "countryDescription"));
}
