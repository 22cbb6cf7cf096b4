// Checks a new or changed account, and reports all problems at once.

import { FieldRefusal, type GivenFields } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { type Code, type Problem, problem, Refusal } from "../../platform/refusals/index.ts";
import {
  checkAccount,
  type Finding,
  hasSavingsAccounts,
  rulesFor,
} from "../account-rules/index.ts";
import {
  type AccountFields,
  type AddressOutcome,
  addressOutcome,
  blankAccount,
} from "../person/index.ts";
import { receiverRules, wronglyEmpty } from "../receivers/index.ts";
import type { AccountWarning, ReceiverAccountChange, ReceiverAccountToValidate } from "./schema.ts";

/** A valid account, as it is stored. */
export type ValidAccount = {
  fields: AccountFields;
  bankName: string;
  address: AddressOutcome;
  warnings: AccountWarning[];
};

/** The fields that an account takes from its receiver by default. */
export type ReceiverDefaults = Pick<
  AccountFields,
  "address" | "address2" | "city" | "state" | "country" | "postcode" | "reference"
>;

/** Throws a refusal with all problems. `receiver` is the named receiver, if there is one. */
export function checkNewAccount(
  given: GivenFields<ReceiverAccountToValidate>,
  receiver: ReceiverDefaults | undefined,
): ValidAccount {
  const { receiver_id, metadata: _, ...fields } = accountFieldsOf(given);
  const problems = problemsOf(given);
  if (receiver_id !== undefined && !receiver) problems.push(problem("REAC211", "receiver_id"));
  const merged = { ...blankAccount, ...receiver, ...fields };
  return soundOrRefused(merged, [...problems, ...emptied(fields, merged)]);
}

/** The account as it would be after the change is checked like a new one. */
export function checkChangedAccount(
  given: GivenFields<ReceiverAccountChange>,
  current: AccountFields,
): ValidAccount {
  const { metadata: _, ...fields } = accountFieldsOf(given);
  const merged = { ...current, ...carriedOver(current, fields.country), ...fields };
  const sound = soundOrRefused(merged, [...problemsOf(given), ...emptied(fields, merged)]);
  // The account keeps its bank code, even if our tables could not derive it.
  if (fields.bank_code === undefined && isSameAccount(sound.fields, current)) {
    sound.fields.bank_code = current.bank_code;
  }
  return sound;
}

/** A state or postcode that was sent empty, although the country has them. A missing one is no problem. */
function emptied(given: Partial<AccountFields>, { country }: AccountFields): Problem[] {
  const { state, postcode } = given;
  const codes = { state: "REAC222", postcode: "REAC224" } as const;
  return wronglyEmpty({ country, state, postcode }).map((name) => problem(codes[name], name));
}

export function accountFieldsOf<Body>(given: GivenFields<Body>): Partial<Body> {
  return given instanceof FieldRefusal ? (given.valid as Partial<Body>) : given;
}

export function isEmptyChange(given: GivenFields<object>): boolean {
  return !(given instanceof FieldRefusal) && Object.keys(given).length === 0;
}

function problemsOf(given: GivenFields<object>): Problem[] {
  return given instanceof FieldRefusal ? [...given.problems] : [];
}

/** A BSB and a kind of account have no meaning in another country, and derived fields are derived again. */
function carriedOver(
  { country: from, bsb, bank_code, checking_or_savings }: AccountFields,
  to: string = from,
): Pick<AccountFields, "bsb" | "bank_code" | "checking_or_savings"> {
  const isDerived = [from, to].some(
    (country) => country && rulesFor(country).fields.bank_code?.derived,
  );
  const isSameCountry = from === to;
  return {
    bsb: isSameCountry ? bsb : "",
    bank_code: isDerived ? "" : bank_code,
    checking_or_savings: isSameCountry ? checking_or_savings : "",
  };
}

function isSameAccount(one: AccountFields, other: AccountFields): boolean {
  const { country, account_number, bsb } = other;
  return one.country === country && one.account_number === account_number && one.bsb === bsb;
}

// No country accepts it. It replaces a field that was already refused, so that checks that depend on the field do not
// treat it as empty.
const unreadable = "\uFFFD";

function soundOrRefused(merged: AccountFields, refused: readonly Problem[]): ValidAccount {
  const refusedFields = new Set(refused.map(({ field }) => field));
  const fields = { ...merged };
  const read = { ...merged };
  for (const name of Object.keys(merged) as (keyof AccountFields)[]) {
    if (!refusedFields.has(name)) continue;
    fields[name] = "";
    read[name] = unreadable;
  }

  const problems = [...refused, ...problemsBetween(fields)];
  if (fields.country === "") {
    const isExplained = refusedFields.has("country") || refusedFields.has("receiver_id");
    if (!isExplained) problems.push(problem("REAC228", "country"));
    throw refusalOf(problems);
  }

  const { account_number, bsb, bank_code, abn, acn, nzbn } = read;
  const individualOrBusiness = fields.account_type === "B" ? "B" : "I";
  const { details, bankName, businessNumbers, findings } = checkAccount(
    fields.country,
    { account_number, bsb, bank_code },
    { individualOrBusiness, abn, acn, nzbn },
  );
  const news = findings.filter(({ field }) => !refusedFields.has(field));
  for (const finding of news) {
    if (finding.level === "problem") problems.push(toProblem(finding, fields[finding.field]));
  }
  const hasSavings = hasSavingsAccounts(fields.country);
  if (!hasSavings && fields.checking_or_savings !== "") {
    problems.push(problem("REAC229", "checking_or_savings"));
  }
  if (problems.length > 0) throw refusalOf(problems);
  const checking_or_savings = fields.checking_or_savings || (hasSavings ? "checking" : "");
  const warnings = news.map(({ field, reason }) => ({ field, message: reason }));
  return {
    fields: { ...fields, ...details, ...businessNumbers, checking_or_savings },
    bankName,
    address: addressOutcome(fields),
    warnings: [...warnings, ...unusedName(fields)],
  };
}

function unusedName({ account_type, business_name }: AccountFields): AccountWarning[] {
  if (account_type === "B" || business_name === "") return [];
  const message = "Only the name of a business is used: this account is an individual's.";
  return [{ field: "business_name", message }];
}

function refusalOf(problems: readonly Problem[]): Refusal {
  const [first, ...rest] = problems.slice(0, limits.problemsMax);
  if (!first) throw new Error("a refusal needs a problem");
  return new Refusal([first, ...rest]);
}

/** The codes of a receiver's problems, and the code of an account for the same problem. */
const ownProblems: Record<string, Problem> = {
  REVR219: problem("REAC218", "homephone"),
  REVR223: problem("REAC222", "state"),
  REVR224: problem("REAC224", "postcode"),
};

/** An account's home phone and address follow the rules of a receiver's phone and address. */
function problemsBetween({ homedialcode, homephone, country, state, postcode }: AccountFields) {
  const found = receiverRules({
    dialcode: homedialcode,
    phone: homephone,
    country,
    state,
    postcode,
  });
  return found.map(({ code }) => ownProblems[code] as Problem);
}

const missing: Record<Finding["field"], Code> = {
  account_number: "REAC203",
  bsb: "REAC204",
  bank_code: "REAC205",
  abn: "REAC210",
  acn: "REAC210",
  nzbn: "REAC210",
};

const invalid: Record<Finding["field"], Code> = {
  account_number: "REAC207",
  bsb: "REAC208",
  bank_code: "REAC209",
  abn: "REAC212",
  acn: "REAC213",
  nzbn: "REAC214",
};

function toProblem({ field, reason }: Finding, given: string): Problem {
  return { code: (given === "" ? missing : invalid)[field], message: reason, field };
}
