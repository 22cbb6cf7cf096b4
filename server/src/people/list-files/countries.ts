// The alpha-3 code of a country as the publishers of lists write it. Pure.

import { iso31661, iso31661Alpha2ToAlpha3, iso31661Alpha3ToAlpha2 } from "iso-3166";
import { editDistance, typingCosts } from "../../../../packages/name-matching/src/index.ts";
import { nationalities } from "./nationalities.ts";

const display = new Intl.DisplayNames("en", { type: "region" });

/** What publishers write besides the names of ISO 3166 and of CLDR. */
const otherNames: Record<string, string> = {
  AFG: "Islamic Republic of Afghanistan",
  ARE: "UAE, U.A.E., Dubai, Abu Dhabi",
  BIH: "Bosnia, Bosnia Herzegovina",
  BLR: "Byelorussia",
  BOL: "Bolivia, Plurinational State of Bolivia",
  BRN: "Brunei",
  CAF: "CAR",
  CHN: "People's Republic of China, PRC, Mainland China",
  CIV: "Cote d Ivoire, Ivory Coast",
  COD: "Congo Democratic Republic of the, Democratic Republic of Congo, Congo (Democratic Republic), DRC, DR Congo, Zaire",
  COG: "Congo, Congo Republic of the, Republic of the Congo, Congo Brazzaville",
  CPV: "Cape Verde",
  CUW: "Netherlands Antilles",
  CZE: "Czech Republic",
  FSM: "Micronesia",
  GBR: "UK, U.K., Great Britain, England, Scotland, Wales, Northern Ireland",
  GMB: "Gambia The",
  HKG: "Hong Kong, China Hong Kong Special Administrative Region, Hong Kong SAR",
  IMN: "Man Isle of",
  IRN: "Iran, Islamic Republic of Iran, Iran (Islamic Republic)",
  KGZ: "Kyrgyz Republic",
  KOR: "Korea South, South Korea, Republic of Korea, Korea Republic of, Korea (South)",
  LAO: "Laos, Lao People's Democratic Republic",
  LBY: "Libyan Arab Jamahiriya, State of Libya",
  MAC: "Macau, Macao SAR",
  MDA: "Moldova, Republic of Moldova",
  MKD: "Macedonia, North Macedonia The Republic of, Former Yugoslav Republic of Macedonia",
  MMR: "Burma, Myanmar/Burma, Myanmar (Burma), Burma (Myanmar), Burma/Myanmar",
  NLD: "Holland",
  PRK: "Korea North, North Korea, DPRK, Democratic People's Republic of Korea, Korea (North)",
  PSE: "Palestine, State of Palestine, Palestinian Territories, Occupied Palestinian Territories, West Bank, Gaza, Gaza Strip, Region: Gaza, West Bank and Gaza Strip",
  RUS: "Russia, USSR, Soviet Union, former Soviet Union",
  SRB: "Yugoslavia, Serbia and Montenegro",
  SWZ: "Swaziland",
  SYR: "Syria",
  TLS: "East Timor",
  TTO: "Trinidad, Tobago",
  TUR: "Turkey, Republic of Turkey",
  TWN: "Taiwan, Republic of China",
  TZA: "Tanzania, United Republic of Tanzania",
  UKR: "Crimea, Region: Crimea, Sevastopol, Donetsk, Luhansk",
  USA: "USA, U.S.A., US, U.S., United States of America, America",
  VAT: "Vatican, Vatican City",
  VEN: "Venezuela, Bolivarian Republic of Venezuela",
  VGB: "Virgin Islands British, British Virgin Islands, BVI",
  VIR: "Virgin Islands US, US Virgin Islands",
  VNM: "Vietnam, Viet Nam",
};

const byName = new Map<string, string>();
const alpha3s = new Set<string>();
for (const { alpha2, alpha3, name } of iso31661) {
  alpha3s.add(alpha3);
  for (const one of [name, display.of(alpha2) ?? name]) byName.set(keyOf(one), alpha3);
}
/** Long ones first: of two that are equally near, the one of which letters are missing is meant. */
const titles = new Set([...byName.keys()].sort((one, other) => other.length - one.length));
for (const [alpha3, names] of [...Object.entries(nationalities), ...Object.entries(otherNames)]) {
  for (const name of names.split(", ")) byName.set(keyOf(name), alpha3);
}

/** Undefined for a text that names no country, such as "undetermined". */
export function countryCode(text: string): string | undefined {
  return byName.get(keyOf(text));
}

const errorsMax = 3;

/**
 * A country as a user writes it: its code, or its name in ISO 3166 or CLDR, in English. Of another text the name of the nearest one,
 * which the user has to confirm: one of those that only publishers write, or one with typing errors.
 */
export function readCountry(text: string): { code: string } | { nearest: string | undefined } {
  const code = text.toUpperCase();
  const key = keyOf(text);
  const read =
    (alpha3s.has(code) && code) || countryOfAlpha2(code) || (titles.has(key) && byName.get(key));
  if (read) return { code: read };
  const other = byName.get(key);
  if (other) return { nearest: countryTitle(other) };
  let nearest: string | undefined;
  let limit = Math.min(errorsMax, key.length / 2);
  for (const title of titles) {
    const errors = editDistance(key, title, typingCosts, limit);
    if (errors >= limit) continue;
    limit = errors;
    nearest = countryTitle(byName.get(title) ?? "");
  }
  return { nearest };
}

/** From a code with two letters. The EU writes 00 for an unknown country. */
export function countryOfAlpha2(code: string): string | undefined {
  return iso31661Alpha2ToAlpha3[code.toUpperCase()];
}

export function countryTitle(alpha3: string): string {
  return display.of(iso31661Alpha3ToAlpha2[alpha3] ?? "") ?? alpha3;
}

export function isCountryCode(code: string): boolean {
  return alpha3s.has(code);
}

/** Every country by its name. */
export function allCountries(): { code: string; name: string }[] {
  return iso31661
    .map(({ alpha3 }) => ({ code: alpha3, name: countryTitle(alpha3) }))
    .sort((one, other) => one.name.localeCompare(other.name, "en"));
}

/**
 * The countries that a text names: "a) Iraq b) Jordan", "Libya; Niger", "Goma, Congo, Democratic Republic of the". The
 * rest of the text is places.
 */
export function countriesIn(text: string): string[] {
  const whole = countryCode(text);
  if (whole) return [whole];
  return text
    .split(/[;\n|]|\(\d+\)|(?:^|\s)(?:[a-z]|[ivx]{1,4}|\d{1,2})\)/i)
    .flatMap(countriesOfPart);
}

/** A name may have commas itself, so the longest end of the text that is a name counts. */
function countriesOfPart(text: string): string[] {
  const pieces = text.split(",");
  for (let start = 0; start < pieces.length; start += 1) {
    const code = countryCode(withoutNote(pieces.slice(start).join(",")));
    if (code) return [...countriesOfPart(pieces.slice(0, start).join(",")), code];
  }
  const last = pieces.at(-1) ?? "";
  const found = last
    .split(/\s+(?:and|or)\s+|\//)
    .flatMap((part) => countryCode(withoutNote(part)) ?? []);
  return pieces.length > 1 ? [...countriesOfPart(pieces.slice(0, -1).join(",")), ...found] : found;
}

/** "Yemen (formerly)" is Yemen. */
function withoutNote(text: string): string {
  return countryCode(text) ? text : text.replaceAll(/\([^)]*\)/g, " ");
}

function keyOf(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, " ")
    .replaceAll(/\b(?:the|of)\b/g, " ")
    .replaceAll(/ +/g, " ")
    .trim();
}
