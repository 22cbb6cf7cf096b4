// The one table of countries: what an account needs in each, for creation, dry runs and forms alike.

import { iso31661Alpha3ToAlpha2 } from "iso-3166";
import { isSepa } from "../../../../packages/bank-formats/src/account-numbers/index.ts";
import type { BankDetails, CheckedBankDetails, CountryRules } from "../account-numbers/index.ts";
import { australia } from "./australia.ts";
import { type BusinessNumbers, checkBusinessNumbers, type Holder } from "./business-numbers.ts";
import { canada } from "./canada.ts";
import { elsewhere } from "./elsewhere.ts";
import { india } from "./india.ts";
import { newZealand } from "./new-zealand.ts";
import { sepa } from "./sepa.ts";
import { unitedKingdom } from "./united-kingdom.ts";
import { unitedStates } from "./united-states.ts";

export type {
  BankDetails,
  CheckedBankDetails as Checked,
  CountryRules,
  Field,
  Finding,
} from "../account-numbers/index.ts";

const withOwnRules = [australia, newZealand, unitedStates, unitedKingdom, india, canada];
const names = new Intl.DisplayNames("en", { type: "region" });

const table: ReadonlyMap<string, CountryRules> = new Map([
  ...Object.entries(iso31661Alpha3ToAlpha2).map(([country, alpha2]) => {
    const named = { country, alpha2, name: countryName(country) };
    return [country, isSepa(alpha2) ? sepa(named) : elsewhere(named)] as const;
  }),
  ...withOwnRules.map((rules) => [rules.country, rules] as const),
]);

export function countryName(country: string): string {
  return names.of(iso31661Alpha3ToAlpha2[country] ?? country) ?? country;
}

/** Every ISO 3166-1 alpha-3 code has rules. The caller must refuse any other text first. */
export function rulesFor(country: string): CountryRules {
  const rules = table.get(country);
  if (!rules) throw new RangeError("not an ISO 3166-1 alpha-3 code");
  return rules;
}

/** False for a text that is no country. */
export function hasSavingsAccounts(country: string): boolean {
  return table.get(country)?.hasSavingsAccounts === true;
}

export type CheckedAccount = CheckedBankDetails & { businessNumbers: BusinessNumbers };

/** Checks the bank details and the holder's numbers. Returns them in canonical form, with all findings. */
export function checkAccount(
  country: string,
  details: BankDetails,
  holder: Holder,
): CheckedAccount {
  const rules = rulesFor(country);
  const checked = rules.check(details);
  const { numbers, findings } = checkBusinessNumbers(rules, holder);
  return { ...checked, findings: [...checked.findings, ...findings], businessNumbers: numbers };
}
