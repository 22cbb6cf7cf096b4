// Accounts in New Zealand: bank, branch, base and suffix, in one number or with the first two in bsb.

import {
  findNewZealandBank,
  hasBranch,
  hasRightCheckDigits,
  type NewZealandAccount,
} from "../../../../packages/bank-formats/src/account-numbers/index.ts";
import {
  bankProblem,
  defineCountry,
  type Finding,
  gap,
  warning,
  withoutGaps,
} from "../account-numbers/index.ts";

const whole = `[0-9]{2}${gap}[0-9]{4}${gap}[0-9]{7}${gap}[0-9]{2,3}`;
const baseAndSuffix = `[0-9]{7}${gap}[0-9]{2,3}`;
// Tax forms pad base and suffix with zeros. That is readable only if the groups are separated: without separators, the
// padding can't be recognised.
const filled = "[0-9]{2}[ \\-]+[0-9]{4}[ \\-]+0?[0-9]{7}[ \\-]+0?[0-9]{2,3}";
const filledGroups = /^(\d{2})[ -]+(\d{4})[ -]+0??(\d{7})[ -]+0??(\d{2,3})$/;
const wholeDigitsMin = 15;

export const newZealand = defineCountry({
  country: "NZL",
  currency: "NZD",
  businessNumbers: ["nzbn"],
  // 00 and 000 are one suffix. The shorter form, in which most numbers are stored.
  toComparable(number) {
    const { bank, branch, base, suffix } = split(number);
    return bank + branch + base + suffix.replace(/^0(?=\d\d$)/, "");
  },
  fields: {
    account_number: {
      required: true,
      label: "Account number",
      description: "15 or 16 digits: bank 2, branch 4, base 7, suffix 2 or 3",
      pattern: `^(?:${whole}|${baseAndSuffix}|${filled})$`,
      examples: ["12-3140-0171323-50", "0109020068389000"],
      toCanonical: (text) => filledGroups.exec(text)?.slice(1).join("") ?? withoutGaps(text),
    },
    bsb: {
      required: false,
      label: "Bank and branch",
      description: "6 digits, only where the account number comes without them",
      pattern: "^[0-9]{2}[ \\-]?[0-9]{4}$",
      examples: ["12-3140"],
    },
    bank_code: {
      required: false,
      derived: true,
      label: "Bank",
      description: "2 digits. We find them in the account number",
      pattern: "^[0-9]{2}$",
      examples: ["12"],
    },
  },
  judge({ account_number, bsb, bank_code }) {
    const isWhole = account_number.length >= wholeDigitsMin;
    if (!isWhole && bsb === "") {
      const reason = "Bank and branch are missing: put them before the base, or into bsb.";
      return { findings: [bankProblem("account_number", reason)] };
    }
    const number = isWhole ? account_number : bsb + account_number;
    const account = split(number);
    const findings: Finding[] = [];
    if (!number.startsWith(bsb)) {
      findings.push(bankProblem("bsb", "The account number names another bank or branch."));
    }
    if (bank_code !== "" && bank_code !== account.bank) {
      findings.push(bankProblem("bank_code", "The account number names another bank."));
    }
    findings.push(...judgeAccount(account, isWhole ? "account_number" : "bsb"));
    return {
      details: { account_number: number, bsb: "", bank_code: account.bank },
      bankName: findNewZealandBank(account.bank)?.name ?? "",
      findings,
    };
  },
});

function split(number: string): NewZealandAccount {
  return {
    bank: number.slice(0, 2),
    branch: number.slice(2, 6),
    base: number.slice(6, 13),
    suffix: number.slice(13),
  };
}

// The list of banks ages, so an unlisted bank or branch may be real. But nothing of such a number could be checked, and
// money sent to a wrong one is hard to get back: it is refused until it is listed.
function judgeAccount(
  account: NewZealandAccount,
  branchField: "account_number" | "bsb",
): Finding[] {
  const bank = findNewZealandBank(account.bank);
  if (!bank) return [bankProblem(branchField, "No bank that we know has this number.")];
  if (!hasBranch(bank, account.branch)) {
    return [bankProblem(branchField, "The bank has no such branch that we know of.")];
  }
  // The sums of E and X are right for zeros.
  if (/^0+$/.test(account.base)) {
    return [bankProblem("account_number", "A base number of zeros is not an account.")];
  }
  if (hasRightCheckDigits(account, bank.method)) return [];
  const reason = "The check digits do not fit: a digit is wrong, or two are swapped.";
  return [(bank.isMethodAssumed ? warning : bankProblem)("account_number", reason)];
}
