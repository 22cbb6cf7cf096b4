// A file of receivers: its columns, and emails that come twice.

import { hash } from "node:crypto";
import { addressOutcome } from "../../people/person/index.ts";
import { emailKey, NewReceiver } from "../../people/receivers/index.ts";
import {
  checkOf,
  type Fields,
  type FieldWords,
  fieldsOf,
  type SchemaExtras,
} from "../../platform/fields/index.ts";
import { problem, refusals } from "../../platform/refusals/index.ts";
import type { FieldKind } from "../sheets/index.ts";
import type { CheckAmong, RowFormat } from "./import-rows.ts";
import { withSplitName } from "./whole-name.ts";

export const receiverTemplate = fieldsOf(NewReceiver);
/** Read instead of first and last name, once the user has confirmed how it splits. */
const fullName: FieldWords = {
  name: "full_name",
  isRequired: false,
  meaning: "The whole name, instead of first_name and last_name: you confirm how it splits",
  example: "",
};
const columns = [...receiverTemplate, fullName];
const aliases = Object.entries((NewReceiver as SchemaExtras).aliases ?? {});

const kinds: Record<string, FieldKind> = {
  email: "id",
  dob: "day",
  dialcode: "number",
  phone: "number",
  gender: "id",
  postcode: "number",
  country: "country",
};

/** How the columns are called in the files of payrolls and address books. */
const fieldWords: Record<string, string> = {
  first_name: "first name|given name|forename|vorname|prénom|nombre|nome|voornaam",
  last_name:
    "last name|surname|family name|nachname|familienname|nom|nom de famille|apellido|apellidos|cognome|achternaam",
  full_name: `name|whole name|complete name|payee|payee name|receiver name|beneficiary|beneficiary name|employee|
    employee name|supplier name|vendor name|account name|account holder|vollständiger name|name des empfängers|
    nom complet|nom du bénéficiaire|nombre completo|nombre del beneficiario`,
  middle_name: "middle name|middle names|zweiter vorname|deuxième prénom|segundo nombre",
  email:
    "e mail|mail|email address|e mail adresse|adresse email|courriel|correo|correo electronico",
  dob: "date of birth|birth date|birthdate|birthday|geburtsdatum|geburtstag|date de naissance|fecha de nacimiento|data di nascita|geboortedatum",
  dialcode:
    "dial code|country calling code|phone country code|vorwahl|ländervorwahl|indicatif|prefijo",
  phone:
    "phone number|mobile|mobile number|telephone|telefon|telefonnummer|handy|téléphone|telefono|teléfono",
  address:
    "address line 1|address 1|street|street address|strasse|straße|anschrift|adresse|rue|direccion|indirizzo",
  address2: "address line 2|address 2|adresszusatz|complément d adresse",
  gender: "sex|geschlecht|sexe|genre|sexo|genero",
  city: "town|suburb|ort|stadt|ville|ciudad|città|plaats",
  state: "province|region|bundesland|région|provincia|estado",
  postcode: "postal code|zip|zip code|post code|plz|postleitzahl|code postal|codigo postal|cap|cp",
  country: "country code|land|pays|país|paese",
  reference:
    "ref|employee id|employee number|staff id|supplier id|vendor id|personalnummer|lieferantennummer|matricule",
};

const check = checkOf(NewReceiver);
const ofCountry = new Set<string | undefined>(["state", "postcode"]);

export const receiverFormat: RowFormat = {
  columns,
  fields: columns.map(({ name, isRequired }) => ({
    name,
    isRequired,
    kind: kinds[name] ?? "text",
    words: [
      ...aliases.flatMap(([alias, of]) => (of === name ? [alias] : [])),
      fieldWords[name] ?? "",
    ].join("|"),
  })),
  insteadOf: { first_name: "full_name", last_name: "full_name" },
  check({ full_name, ...input }) {
    const { fields, problems: found } = check(input);
    const isUnknown = Boolean(input.country) && found.some(({ field }) => field === "country");
    // Whether it needs them is known by the country.
    const all = isUnknown ? found.filter(({ field }) => !ofCountry.has(field)) : found;
    const problems = withSplitName(all, input, String(full_name ?? ""));
    const lost = lostZeros(input);
    if (lost === undefined) return { fields, problems };
    const cure = "Format the column as text, so that zeros stay";
    const missing = { ...problem("REVR224", "postcode"), message: "The first zeros are missing" };
    const others = problems.filter(({ field }) => field !== "postcode");
    return { fields, problems: [...others, { ...missing, cure, suggestion: lost }] };
  },
};

const postcodeDigitsMax = 6;

/** The postcode with the zeros that a spreadsheet took off, where the country has no such postcode without them. */
function lostZeros({ country, postcode }: Fields): string | undefined {
  if (typeof country !== "string" || typeof postcode !== "string") return undefined;
  if (!/^\d{1,5}$/.test(postcode)) return undefined;
  const outcomeOf = (text: string) => addressOutcome({ country, postcode: text });
  if (outcomeOf(postcode) !== "postcode_mismatch") return undefined;
  for (let digits = postcode.length + 1; digits <= postcodeDigitsMax; digits += 1) {
    const filled = postcode.padStart(digits, "0");
    if (outcomeOf(filled) === "valid") return filled;
  }
  return undefined;
}

/**
 * For one pass: no two rows may have the same email. It keeps hashes: a million of them fit into memory, and they are
 * not personal data.
 */
export function emailCheck(): CheckAmong {
  const firstRows = new Map<string, number>();
  return ({ number, fields: { email } }) => {
    if (typeof email !== "string") return [];
    const key = hash("sha256", emailKey(email), "binary");
    const first = firstRows.get(key);
    if (first === undefined) {
      firstRows.set(key, number);
      return [];
    }
    const message = `${refusals.REVR201[1]}: it is that of row ${first} too`;
    return [{ row: number, column: "email", code: "REVR201", message, value: email }];
  };
}
