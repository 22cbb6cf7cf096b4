// The numbers that businesses have in Australia (ABN, ACN) and New Zealand (NZBN).

import {
  type BusinessNumber,
  bankProblem,
  type CountryRules,
  type Finding,
  gap,
  grouped,
  warning,
  withoutGaps,
} from "../account-numbers/index.ts";

export type BusinessNumbers = Record<BusinessNumber, string>;

export function isAbn(digits: string): boolean {
  if (!/^[0-9]{11}$/.test(digits)) return false;
  // The two check digits are made to lie between 11 and 99. Lower ones can satisfy the sum as well.
  if (digits < "11") return false;
  const weights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];
  // One is taken from the first digit, which weighs 10.
  return (weightedSum(digits, weights) - 10) % 89 === 0;
}

export function isAcn(digits: string): boolean {
  if (!/^[0-9]{9}$/.test(digits) || digits === "000000000") return false;
  return weightedSum(digits, [8, 7, 6, 5, 4, 3, 2, 1, 1]) % 10 === 0;
}

/** A GS1 location number; those of New Zealand begin with 94. */
export function isNzbn(digits: string): boolean {
  if (!/^94[0-9]{11}$/.test(digits)) return false;
  return weightedSum(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;
}

function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => sum + weight * Number(digits[place]), 0);
}

type NumberField = {
  label: string;
  description: string;
  pattern: string;
  examples: readonly string[];
  isValid: (digits: string) => boolean;
};

export const businessNumberFields: Record<BusinessNumber, NumberField> = {
  abn: {
    label: "ABN",
    description: "Australian Business Number, 11 digits",
    pattern: grouped("[0-9]", { min: 11, max: 11 }),
    examples: ["51 824 753 556"],
    isValid: isAbn,
  },
  acn: {
    label: "ACN",
    description: "Australian Company Number, 9 digits",
    pattern: grouped("[0-9]", { min: 9, max: 9 }),
    examples: ["004 085 616"],
    isValid: isAcn,
  },
  nzbn: {
    label: "NZBN",
    description: "New Zealand Business Number, 13 digits that begin with 94",
    pattern: `^9${gap}4(?:${gap}[0-9]){11}$`,
    examples: ["9429044650421"],
    isValid: isNzbn,
  },
};

export type Holder = BusinessNumbers & { individualOrBusiness: "I" | "B" };

export function checkBusinessNumbers(
  { businessNumbers: needed }: CountryRules,
  { individualOrBusiness, ...given }: Holder,
): { numbers: BusinessNumbers; findings: Finding[] } {
  const numbers = { abn: given.abn.trim(), acn: given.acn.trim(), nzbn: given.nzbn.trim() };
  const findings: Finding[] = [];
  for (const name of ["abn", "acn", "nzbn"] as const) {
    const { label, description, pattern, isValid } = businessNumberFields[name];
    const text = numbers[name];
    if (text === "") continue;
    const digits = withoutGaps(text);
    if (!new RegExp(pattern, "u").test(text)) {
      findings.push(bankProblem(name, `${label} is not valid. ${description}.`));
    } else if (!isValid(digits)) {
      findings.push(bankProblem(name, `The ${label}'s check digits do not fit: a digit is wrong.`));
    } else {
      numbers[name] = digits;
    }
  }
  const [first] = needed;
  if (individualOrBusiness === "B" && first && needed.every((name) => numbers[name] === "")) {
    const labels = needed.map((name) => businessNumberFields[name].label);
    findings.push(bankProblem(first, `A business in this country needs ${labels.join(" or ")}.`));
  }
  findings.push(...(findings.length === 0 ? disagreement(numbers) : []));
  return { numbers, findings };
}

/** A company's ABN ends with its ACN. A trust that acts through a company has one of its own. */
function disagreement({ abn, acn }: BusinessNumbers): Finding[] {
  if (abn === "" || acn === "" || abn.endsWith(acn)) return [];
  return [warning("abn", "The ABN does not end with the ACN, as a company's does.")];
}
