// The parts of a country's rules, and the check of given details against them. Pure.

/** As a caller sends them: strings, because leading zeros count. A missing one is empty. */
export type BankDetails = { account_number: string; bsb: string; bank_code: string };
export type BankField = keyof BankDetails;
export type BusinessNumber = "abn" | "acn" | "nzbn";

/** A problem refuses the account; a warning is worth a second look and refuses nothing. */
export type Finding = {
  field: BankField | BusinessNumber;
  level: "problem" | "warning";
  /** A sentence for people. It never repeats what was given: account numbers stay out of logs. */
  reason: string;
};

export type CheckedBankDetails = { details: BankDetails; bankName: string; findings: Finding[] };

export type Field = {
  required: boolean;
  label: string;
  description: string;
  /** The allowed input, separators included. Valid with the flags u and v, so HTML can use it. */
  pattern: string;
  examples: readonly string[];
  /** Derived from the other fields: it may be given, but a form need not ask for it. */
  derived?: true;
  /** From the input to the stored value. Default: removes spaces and hyphens. */
  toCanonical?: (text: string) => string;
  /** Returns the problem of a canonical value that matches the pattern, if there is one. */
  refuse?: (canonical: string) => string | undefined;
};

/** A field that is not listed must be empty. */
type BankFields = { account_number: Field; bsb?: Field; bank_code?: Field };

export type CountryRules = {
  /** ISO 3166-1 alpha-3. */
  country: string;
  currency?: string;
  fields: BankFields;
  /** A business needs one of these. */
  businessNumbers: readonly BusinessNumber[];
  /** Its accounts are for checking or for savings, and banks need to know which. */
  hasSavingsAccounts?: true;
  /** From a stored account number to the one form that all ways to write it have. Only for comparing. Default: as stored. */
  toComparable?: (accountNumber: string) => string;
  check(given: BankDetails): CheckedBankDetails;
};

/** The result of checking the fields together. Runs only if each field is valid by itself. */
type Judgement = { details?: Partial<BankDetails>; bankName?: string; findings?: Finding[] };

type Definition = Omit<CountryRules, "check" | "businessNumbers"> & {
  businessNumbers?: readonly BusinessNumber[];
  judge?: (details: BankDetails) => Judgement;
};

const fieldNames = ["account_number", "bsb", "bank_code"] as const satisfies BankField[];

export function defineCountry({
  judge,
  businessNumbers = [],
  ...definition
}: Definition): CountryRules {
  const readers = fieldNames.map((name) => ({ name, read: fieldReader(definition.fields[name]) }));

  function check(given: BankDetails): CheckedBankDetails {
    const details = { ...given };
    const findings: Finding[] = [];
    for (const { name, read } of readers) {
      const { canonical, reason } = read(given[name].trim());
      details[name] = canonical;
      if (reason) findings.push(bankProblem(name, reason));
    }
    if (findings.length > 0 || !judge) return { details, bankName: "", findings };

    const judged = judge(details);
    return {
      details: { ...details, ...judged.details },
      bankName: judged.bankName ?? "",
      findings: judged.findings ?? [],
    };
  }

  return { ...definition, businessNumbers, check };
}

type Reading = { canonical: string; reason?: string | undefined };

function fieldReader(field: Field | undefined): (text: string) => Reading {
  if (!field) {
    // If it were ignored silently, the caller would believe that we use it.
    const reason = "Accounts of this country have no such field: leave it empty.";
    return (text) => (text === "" ? { canonical: "" } : { canonical: text, reason });
  }
  const { label, description, required, toCanonical = withoutGaps, refuse } = field;
  const pattern = new RegExp(field.pattern, "u");
  return (text) => {
    if (text === "")
      return { canonical: "", reason: required ? `${label} is missing.` : undefined };
    if (!pattern.test(text)) {
      return { canonical: text, reason: `${label} is not valid. ${description}.` };
    }
    const canonical = toCanonical(text);
    return { canonical, reason: refuse?.(canonical) };
  };
}

export function bankProblem(field: Finding["field"], reason: string): Finding {
  return { field, level: "problem", reason };
}

export function warning(field: Finding["field"], reason: string): Finding {
  return { field, level: "warning", reason };
}

export function withoutGaps(text: string): string {
  return text.replace(/[ \u00A0\u2007\u2009\u202F-]/g, "");
}

/**
 * Banks print " - " between groups, hence up to three characters. Text copied from a page may contain non-breaking
 * spaces. The hyphen is escaped for the flag v.
 */
export const gap = "[ \\u00A0\\u2007\\u2009\\u202F\\-]{0,3}";

/** A pattern of `min` to `max` characters of one class, with separators in any place. */
export function grouped(characters: string, { min, max }: { min: number; max: number }): string {
  return `^${characters}(?:${gap}${characters}){${min - 1},${max - 1}}$`;
}

export function refuseZeros(canonical: string): string | undefined {
  return /^0+$/.test(canonical) ? "An account number of zeros is not an account." : undefined;
}
