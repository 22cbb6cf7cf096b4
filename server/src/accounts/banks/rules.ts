// What a country's rules are made of, and how the given details are read against them. Pure.

/** As a caller gives them: texts, because leading zeros count. What is not given is empty. */
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
  /** What may be typed, separators included. Holds with the flags u and v, so HTML can use it. */
  pattern: string;
  examples: readonly string[];
  /** We find it out from the other fields: it may be given, and a form need not ask for it. */
  derived?: true;
  /** From what was typed to what is stored. Without it, spaces and hyphens go and the rest stays. */
  toCanonical?: (text: string) => string;
  /** What is wrong with a canonical text that fits the pattern, if anything. */
  refuse?: (canonical: string) => string | undefined;
};

/** A field that is not here has to be empty. */
export type BankFields = { account_number: Field; bsb?: Field; bank_code?: Field };

export type CountryRules = {
  /** ISO 3166-1 alpha-3. */
  country: string;
  currency?: string;
  fields: BankFields;
  /** A business needs one of these. */
  businessNumbers: readonly BusinessNumber[];
  check(given: BankDetails): CheckedBankDetails;
};

/** What the fields say together. Asked only when each is right by itself. */
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
    // Silence would let a caller believe that we use it.
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
 * Banks print " - " between groups, hence up to three; what is copied from a page may have spaces that don't break a
 * line. The hyphen is escaped for the flag v.
 */
export const gap = "[ \\u00A0\\u2007\\u2009\\u202F\\-]{0,3}";

/** A pattern of so many characters of one class, grouped as people like. */
export function grouped(characters: string, { min, max }: { min: number; max: number }): string {
  return `^${characters}(?:${gap}${characters}){${min - 1},${max - 1}}$`;
}

export function refuseZeros(canonical: string): string | undefined {
  return /^0+$/.test(canonical) ? "An account number of zeros is nobody's account." : undefined;
}
