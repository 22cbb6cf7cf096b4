// Our rules for credit transfers that no schema knows: characters, lengths, accounts, banks and addresses.

import { isBic, isIban } from "../account-numbers/index.ts";
import { findForeignCharacter, nameCharacter } from "../characters.ts";
import {
  childrenOf,
  descendants,
  findElement,
  textAt,
  type XmlElement,
} from "../documents/index.ts";
import type { FileProblems } from "../report.ts";
import { elementsAt, epcCharacters, pain001Shapes, type XmlLayout } from "./pain-001-layout.ts";
import { checkShape } from "./shapes.ts";

const ibanText = /^[A-Z]{2}\d{2}[0-9A-Za-z]{1,30}$/;
const bicText = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;
const uuidV4 = /^[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}$/;
/** Clearing systems whose member ids have six digits. */
const sixDigits = new Set(["AUBSB", "NZNCC", "GBDSC"]);
const sepaNameLength = 70;
const addressLinesMax = 2;

/** A part of the message that was read whole: the group header, a child of a payment block, or a transfer. */
export function checkPart(
  element: XmlElement,
  { isSepa, problems }: { isSepa: boolean; problems: FileProblems },
): void {
  for (const name of ["Dbtr", "Cdtr", "InitgPty", "UltmtDbtr", "UltmtCdtr"]) {
    for (const party of named(element, name)) checkParty(party, isSepa, problems);
  }
  for (const account of named(element, "DbtrAcct", "CdtrAcct")) checkAccount(account, problems);
  for (const agent of named(element, "DbtrAgt", "CdtrAgt")) checkAgent(agent, problems);
  for (const address of descendants(element, "PstlAdr")) checkAddress(address, problems);
  if (isSepa) checkCharacters(element, problems);
}

/** The element itself or its children, by name. */
function named(element: XmlElement, ...names: string[]): XmlElement[] {
  if (names.includes(element.name)) return [element];
  return element.children.filter((child) => names.includes(child.name));
}

export function checkLengths(element: XmlElement, layout: XmlLayout, problems: FileProblems): void {
  for (const { path, length } of Object.values(layout)) {
    for (const { name, text, line, column } of elementsAt(element, path)) {
      if (text.length <= length) continue;
      const found = [...text].length;
      if (found <= length) continue;
      problems.error(
        line,
        column,
        `expected at most ${length} characters in ${name}, found ${found}`,
      );
    }
  }
}

function checkParty(party: XmlElement, isSepa: boolean, problems: FileProblems): void {
  checkShape(party, pain001Shapes.party, problems);
  const name = findElement(party, "Nm");
  if (!name || !isSepa || name.text.length <= sepaNameLength) return;
  const message = `expected at most ${sepaNameLength} characters in Nm for SEPA, found ${name.text.length}`;
  problems.error(name.line, name.column, message);
}

/** Messages show the end of the number only. */
function checkAccount(account: XmlElement, problems: FileProblems): void {
  checkShape(account, pain001Shapes.account, problems);
  const iban = findElement(account, "Id/IBAN");
  if (!iban) return;
  const { text, line, column } = iban;
  if (!ibanText.test(text)) {
    problems.error(line, column, `expected an IBAN, found one that ends in "${text.slice(-3)}"`);
  } else if (!isIban(text)) {
    const message = `expected an IBAN with right check digits, found one that ends in "${text.slice(-3)}"`;
    problems.warning(line, column, message);
  }
}

function checkAgent(agent: XmlElement, problems: FileProblems): void {
  checkShape(agent, pain001Shapes.agent, problems);
  for (const name of ["BIC", "BICFI"]) {
    const bic = findElement(agent, `FinInstnId/${name}`);
    if (!bic) continue;
    const { text, line, column } = bic;
    if (!bicText.test(text)) {
      problems.error(line, column, "expected a BIC of 8 or 11 characters, found another text");
    } else if (!isBic(text)) {
      problems.warning(line, column, "expected a BIC that names a country, found another");
    }
  }
  const system = textAt(agent, "FinInstnId/ClrSysMmbId/ClrSysId/Cd");
  const member = findElement(agent, "FinInstnId/ClrSysMmbId/MmbId");
  if (!member || !sixDigits.has(system) || /^\d{6}$/.test(member.text)) return;
  const message = `expected 6 digits in MmbId for ${system}, found ${member.text.length} characters`;
  problems.error(member.line, member.column, message);
}

/** Unstructured addresses are refused since November 2026. Lines may only add to a town and a country. */
function checkAddress(address: XmlElement, problems: FileProblems): void {
  checkShape(address, pain001Shapes.address, problems);
  const { line, column } = address;
  const lines = childrenOf(address, "AdrLine");
  const isStructured = ["TwnNm", "Ctry"].every((name) => textAt(address, name) !== "");
  if (!isStructured && lines.length > 0) {
    problems.error(line, column, "expected a town (TwnNm) and a country (Ctry), found lines only");
  } else if (!isStructured) {
    problems.warning(line, column, "expected a town (TwnNm) and a country (Ctry), found not both");
  } else if (lines.length > addressLinesMax) {
    const message = `expected at most ${addressLinesMax} AdrLine beside TwnNm and Ctry, found ${lines.length}`;
    problems.error(line, column, message);
  }
  const country = findElement(address, "Ctry");
  if (country && !/^[A-Z]{2}$/.test(country.text)) {
    problems.error(
      country.line,
      country.column,
      "expected a country of two letters, found another",
    );
  }
}

export function checkCharacters(element: XmlElement, problems: FileProblems): void {
  if (element.children.length > 0) {
    for (const child of element.children) checkCharacters(child, problems);
    return;
  }
  const { name, text, line, column } = element;
  const index = findForeignCharacter(text, epcCharacters);
  if (index < 0) return;
  const found = nameCharacter(String.fromCodePoint(text.codePointAt(index) ?? 0));
  problems.error(line, column, `expected EPC Latin characters in ${name} for SEPA, found ${found}`);
}

export function checkPaymentId(element: XmlElement, problems: FileProblems): void {
  checkShape(element, pain001Shapes.paymentId, problems);
  const uetr = findElement(element, "UETR");
  if (!uetr || uuidV4.test(uetr.text)) return;
  problems.error(uetr.line, uetr.column, "expected a version 4 UUID in UETR, found another text");
}
