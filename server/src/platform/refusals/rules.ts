// The refusals about rules for payouts: their form and their versions.

export const refusalsAboutRules = {
  RULE201: [
    400,
    "The rules are not valid",
    "Correct the fields that are named. docs/compliance/rules.md lists conditions and acts.",
  ],
  RULE301: [404, "There is no such version of the rules", "List the versions."],
  RULE302: [
    409,
    "The version is not proposed",
    "It was approved, declined or replaced. Propose a new one.",
  ],
  RULE303: [
    409,
    "The rules have changed since this version was proposed",
    "Decline it, and propose the change again on the active version.",
  ],
  RULE304: [409, "A backtest is running", "Wait until it has ended, then start yours."],
} as const satisfies Record<string, readonly [status: number, text: string, cure: string]>;
