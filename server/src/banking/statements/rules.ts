// The rules by which statement lines are matched, one table: docs and tests read it. Pure.

type StatementRule = {
  /** Automatic: applied when the statement is read. Otherwise a suggestion, which a user confirms. */
  isAutomatic: boolean;
  lines: "debits" | "credits";
  /** What must be there, in words. */
  needs: string;
};

/** In the order in which they are tried. A line is matched by the first that fits. */
export const statementRules = {
  payout_reference: {
    isAutomatic: true,
    lines: "debits",
    needs: "our reference of one payout, its amount and its currency",
  },
  batch_reference: {
    isAutomatic: true,
    lines: "debits",
    needs:
      "our reference of one bank batch, and the total of its payouts that the bank did not reject",
  },
  batch_total: {
    isAutomatic: true,
    lines: "debits",
    needs:
      "exactly one open bank batch of this account has this total and this day (for NACHA, also the effective date), and no other line does",
  },
  payout_account: {
    isAutomatic: true,
    lines: "debits",
    needs:
      "exactly one open payout went to this account with this amount on this day, and no other line did",
  },
  return_reference: {
    isAutomatic: true,
    lines: "credits",
    needs:
      "our reference of one payout, or its account, amount and reference, and that the bank returns it",
  },
  deposit_reference: {
    isAutomatic: true,
    lines: "credits",
    needs: "the deposit reference of exactly one subaccount, in the currency of the line",
  },
  bank_charge: {
    isAutomatic: false,
    lines: "debits",
    needs: "the bank's code or words for a charge",
  },
  similar: {
    isAutomatic: false,
    lines: "debits",
    needs: "two of amount, day, reference and the last digits of the account",
  },
} as const satisfies Record<string, StatementRule>;
export type StatementRuleName = keyof typeof statementRules;

/** `by_user`: a user decided. */
export type MatchRule = StatementRuleName | "by_user";
