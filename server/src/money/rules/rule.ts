// What a rule about payouts is: schema, type and documentation in one.

import Type, { type Static } from "typebox";
import { payeeNameOutcomes } from "../../people/payee-checks/index.ts";
import type { Mode } from "../../platform/base/index.ts";
import { line } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";

/** Whose payouts are counted. */
export const ruleSubjects = ["receiver", "account", "subaccount"] as const;
export type RuleSubject = (typeof ruleSubjects)[number];

const hourMs = 3_600_000;
/** Rolling windows, which end with the payout. */
export const windowMs = { hour: hourMs, day: 24 * hourMs, month: 30 * 24 * hourMs } as const;
export type RuleWindow = keyof typeof windowMs;
/** How far back payouts are counted: the longest window, and a day for payouts that waited long for a lock. */
export const countedMs = windowMs.month + windowMs.day;
export const ruleWindows = Object.keys(windowMs) as RuleWindow[];

/** The roles that can approve payouts. */
export const approvingRoles = ["admin", "operator", "approver", "finance"] as const;

const named = <Name extends string>(names: readonly Name[], description: string) =>
  Type.Unsafe<Name>(Type.String({ enum: [...names], description }));
const closed = { additionalProperties: false };
const only = <Name extends string>(name: Name) => Type.Literal(name);
const counted = {
  of: named(ruleSubjects, "whose payouts are counted"),
  window: named(
    ruleWindows,
    "the rolling window: an hour, a day or 30 days, up to and with the payout",
  ),
};

/** What a rule looks at, with a description for the documentation. */
export const conditions = {
  sum: Type.Object(
    {
      fact: only("sum"),
      ...counted,
      above: Type.Integer({
        minimum: 0,
        maximum: Number(limits.amountMax),
        description: "minor units of the rule's currency",
      }),
    },
    { ...closed, description: "the sum of accepted payouts, with this one, is above a limit" },
  ),
  count: Type.Object(
    {
      fact: only("count"),
      ...counted,
      above: Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000,
        description: "how many payouts of one currency",
      }),
    },
    { ...closed, description: "the number of accepted payouts, with this one, is above a limit" },
  ),
  first_payout: Type.Object(
    { fact: only("first_payout") },
    {
      ...closed,
      description:
        "no payout to the account was passed yet: none is queued, in a bank file, sent or paid",
    },
  ),
  details_changed: Type.Object(
    {
      fact: only("details_changed"),
      within_hours: Type.Integer({ minimum: 1, maximum: 8760, description: "hours" }),
    },
    { ...closed, description: "the bank details of the account changed within these hours" },
  ),
  shared_account: Type.Object(
    { fact: only("shared_account") },
    { ...closed, description: "another receiver of the subaccount has the same bank account" },
  ),
  above_median: Type.Object(
    {
      fact: only("above_median"),
      times: Type.Integer({ minimum: 1, maximum: 1000, description: "a multiple of the median" }),
    },
    {
      ...closed,
      description:
        "the amount is above a multiple of the median of the receiver's last ten payouts that were passed, in the currency; never without an earlier payout",
    },
  ),
  country: Type.Object(
    {
      fact: only("country"),
      in: Type.Array(Type.String({ pattern: "^[A-Z]{3}$" }), {
        minItems: 1,
        maxItems: 250,
        description: "ISO 3166 alpha-3 codes",
      }),
    },
    { ...closed, description: "the account or the receiver is in one of the countries" },
  ),
  screening_review: Type.Object(
    { fact: only("screening_review") },
    {
      ...closed,
      description:
        "a screening hit of the receiver is open, or was confirmed. Such a payout is always on hold; a rule can ask for more",
    },
  ),
  identity_review: Type.Object(
    { fact: only("identity_review") },
    { ...closed, description: "the identity check of the receiver waits for a review" },
  ),
  payee_name: Type.Object(
    {
      fact: only("payee_name"),
      in: Type.Array(named(payeeNameOutcomes, "an outcome"), {
        minItems: 1,
        maxItems: payeeNameOutcomes.length,
        description: "outcomes of the payee name check; without a check: unavailable",
      }),
    },
    { ...closed, description: "the payee name check of the account has one of the outcomes" },
  ),
} as const;

/** What a rule does, the strongest first. */
export const acts = {
  refuse: Type.Object(
    { act: only("refuse") },
    { ...closed, description: "the payout is refused; the response does not say by which rule" },
  ),
  hold: Type.Object(
    { act: only("hold") },
    { ...closed, description: "the payout is on hold until a user releases or refuses it" },
  ),
  approvals: Type.Object(
    {
      act: only("approvals"),
      count: Type.Integer({ minimum: 1, maximum: 10, description: "how many distinct users" }),
      role: named(["", ...approvingRoles], "the role of these users; empty: any"),
    },
    { ...closed, description: "several users have to approve the payout" },
  ),
  second_person: Type.Object(
    { act: only("second_person") },
    { ...closed, description: "a second user has to approve the payout" },
  ),
} as const;

export const ruleActs = Object.keys(acts) as RuleAct[];
export type RuleAct = keyof typeof acts;

const c = conditions;

export const Rule = Type.Object(
  {
    id: Type.String({
      pattern: "^[a-z0-9][a-z0-9_-]{0,63}$",
      description: "stays the same when the rule is changed",
    }),
    name: Type.String({ minLength: 1, maxLength: 100, pattern: line }),
    mode: Type.Unsafe<Mode | "">(
      Type.String({
        enum: ["", "test", "live"],
        description: "of the subaccounts; empty: both",
      }),
    ),
    subaccount_ids: Type.Array(Type.String({ format: "known-id" }), {
      maxItems: 1000,
      description: "empty: all",
    }),
    currency: Type.String({
      pattern: "^([A-Z]{3})?$",
      description: "empty: every currency, each by itself. A sum needs one",
    }),
    when: Type.Union([
      c.sum,
      c.count,
      c.first_payout,
      c.details_changed,
      c.shared_account,
      c.above_median,
      c.country,
      c.screening_review,
      c.identity_review,
      c.payee_name,
    ]),
    // biome-ignore lint/suspicious/noThenProperty: a rule reads "when … then …", and is never awaited.
    then: Type.Union([acts.refuse, acts.hold, acts.approvals, acts.second_person]),
  },
  { ...closed, title: "Rule" },
);
export type Rule = Static<typeof Rule>;

export const RuleSet = Type.Array(Rule, { maxItems: limits.rulesMax });
export type RuleSet = Static<typeof RuleSet>;
