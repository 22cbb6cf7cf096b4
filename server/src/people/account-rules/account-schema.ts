// A country's rules as JSON Schema (draft 2020-12), for clients that draw a form from it.

import { limits } from "../../platform/limits/index.ts";
import type { BankField, BusinessNumber, CountryRules, Field } from "../account-numbers/index.ts";
import { businessNumberFields } from "./business-numbers.ts";
import { countryName, rulesFor } from "./countries.ts";

type TextSchema = {
  type: "string";
  title: string;
  description: string;
  pattern?: string;
  enum?: readonly string[];
  default?: string;
  maxLength?: number;
  examples: readonly string[];
};

export type BankAccountSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema";
  title: string;
  description: string;
  type: "object";
  properties: Record<string, TextSchema>;
  required: string[];
  if?: object;
  then?: object;
};

const accountType: TextSchema = {
  type: "string",
  title: "Account type",
  description: "I for an individual, B for a business",
  enum: ["I", "B"],
  examples: ["I"],
};

const checkingOrSavings: TextSchema = {
  type: "string",
  title: "Checking or savings",
  description: "What the account is for. Checking if empty",
  enum: ["checking", "savings", ""],
  default: "checking",
  examples: ["savings", "checking"],
};

const businessName: TextSchema = {
  type: "string",
  title: "Business name",
  description: "The name of a business that holds the account. The receiver's name if empty",
  maxLength: limits.businessNameChars,
  examples: ["Analytical Engines Ltd"],
};

// The order of the fields in a form: first the bank, then the account. Optional fields come last.
const inOrder = ["bsb", "bank_code", "account_number"] as const satisfies BankField[];

export function accountSchema(country: string): BankAccountSchema {
  const rules = rulesFor(country);
  const properties: Record<string, TextSchema> = { account_type: accountType };
  const required = ["account_type"];
  for (const { name, field } of formFields(rules)) {
    const { label, description, pattern, examples } = field;
    properties[name] = {
      type: "string",
      title: label,
      description,
      pattern: field.required ? pattern : orEmpty(pattern),
      examples,
    };
    if (field.required) required.push(name);
  }
  for (const name of rules.businessNumbers) {
    const { label, description, pattern, examples } = businessNumberFields[name];
    properties[name] = {
      type: "string",
      title: label,
      description: `${description}. ${whoNeedsIt(rules)}`,
      pattern: orEmpty(pattern),
      examples,
    };
  }
  if (rules.hasSavingsAccounts) properties.checking_or_savings = checkingOrSavings;
  properties.business_name = businessName;
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `Bank account in ${countryName(country)}`,
    description: rules.currency
      ? `What we need to pay ${rules.currency} into an account in ${countryName(country)}`
      : `What we need to pay into an account in ${countryName(country)}`,
    type: "object",
    properties,
    required,
    ...businessCondition(rules.businessNumbers),
  };
}

function formFields({ fields }: CountryRules): { name: BankField; field: Field }[] {
  const present = inOrder.flatMap((name) => {
    const field = fields[name];
    return field && !field.derived ? [{ name, field }] : [];
  });
  return present.toSorted(
    (one, other) => Number(other.field.required) - Number(one.field.required),
  );
}

/** A form sends an empty field as an empty string. */
function orEmpty(pattern: string): string {
  return `^$|${pattern}`;
}

function whoNeedsIt({ businessNumbers }: CountryRules): string {
  return businessNumbers.length === 1
    ? "A business has to give it"
    : "A business has to give one of its numbers";
}

function businessCondition(
  needed: readonly BusinessNumber[],
): Pick<BankAccountSchema, "if" | "then"> {
  if (needed.length === 0) return {};
  const given = needed.map((name) => ({
    properties: { [name]: { minLength: 1 } },
    required: [name],
  }));
  return {
    if: { properties: { account_type: { const: "B" } }, required: ["account_type"] },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so, and no promise is near.
    then: { anyOf: given },
  };
}
