// A rule as the texts of a form, and back. Pure.

import type { Rule } from "@server/doors/console/rules/schema.ts";
import { amountText, moneyHint, readMoney } from "../state/money.ts";

type Condition = Rule["when"];
export type Fact = Condition["fact"];
type Act = Rule["then"]["act"];
type Counted = Extract<Condition, { fact: "sum" | "count" }>;
export type ApprovingRole = Extract<Rule["then"], { act: "approvals" }>["role"];
type PayeeResult = Extract<Condition, { fact: "payee_name" }>["in"][number];

export type RuleForm = {
  name: string;
  fact: Fact;
  of: Counted["of"];
  window: Counted["window"];
  aboveSum: string;
  aboveCount: string;
  withinHours: string;
  times: string;
  countries: string[];
  payeeResults: PayeeResult[];
  act: Act;
  approvals: string;
  /** Empty: any. */
  role: ApprovingRole;
  /** Empty: every currency. */
  currency: string;
  /** Empty: both. */
  mode: Rule["mode"];
  subaccountIds: string[];
};

export const blankRule: RuleForm = {
  name: "",
  fact: "sum",
  of: "receiver",
  window: "day",
  aboveSum: "",
  aboveCount: "",
  withinHours: "48",
  times: "5",
  countries: [],
  payeeResults: ["no_match"],
  act: "hold",
  approvals: "2",
  role: "",
  currency: "AUD",
  mode: "",
  subaccountIds: [],
};

export function formOfRule(rule: Rule): RuleForm {
  const { when, then, currency } = rule;
  const form: RuleForm = {
    ...blankRule,
    name: rule.name,
    fact: when.fact,
    act: then.act,
    currency,
    mode: rule.mode,
    subaccountIds: [...rule.subaccount_ids],
  };
  if (when.fact === "sum" || when.fact === "count") {
    Object.assign(form, { of: when.of, window: when.window });
    if (when.fact === "sum") form.aboveSum = amountText(when.above, currency);
    else form.aboveCount = String(when.above);
  }
  if (when.fact === "details_changed") form.withinHours = String(when.within_hours);
  if (when.fact === "above_median") form.times = String(when.times);
  if (when.fact === "country") form.countries = [...when.in];
  if (when.fact === "payee_name") form.payeeResults = [...when.in];
  if (then.act === "approvals") {
    form.approvals = String(then.count);
    form.role = then.role;
  }
  return form;
}

export type FormErrors = Partial<Record<keyof RuleForm, string>>;

/** Texts that are no numbers. The server checks everything else. */
export function errorsOf(form: RuleForm): FormErrors {
  const errors: FormErrors = {};
  const whole = (name: "aboveCount" | "withinHours" | "times" | "approvals") => {
    if (!/^\d{1,9}$/.test(form[name].trim())) errors[name] = "Enter a whole number";
  };
  if (form.fact === "sum" && readMoney(form.aboveSum, form.currency) === undefined)
    errors.aboveSum = moneyHint(form.currency);
  if (form.fact === "count") whole("aboveCount");
  if (form.fact === "details_changed") whole("withinHours");
  if (form.fact === "above_median") whole("times");
  if (form.act === "approvals") whole("approvals");
  return errors;
}

export function ruleOfForm(id: string, form: RuleForm): Rule {
  return {
    id,
    name: form.name.trim(),
    mode: form.mode,
    subaccount_ids: form.subaccountIds,
    currency: form.currency,
    when: conditionOf(form),
    // biome-ignore lint/suspicious/noThenProperty: a rule reads "when … then …", and is never awaited.
    then: actOf(form),
  };
}

function conditionOf(form: RuleForm): Condition {
  const { fact, of, window } = form;
  switch (fact) {
    case "sum":
      return { fact, of, window, above: readMoney(form.aboveSum, form.currency) ?? 0 };
    case "count":
      return { fact, of, window, above: Number(form.aboveCount) };
    case "details_changed":
      return { fact, within_hours: Number(form.withinHours) };
    case "above_median":
      return { fact, times: Number(form.times) };
    case "country":
      return { fact, in: form.countries };
    case "payee_name":
      return { fact, in: form.payeeResults };
    default:
      return { fact };
  }
}

function actOf({ act, approvals, role }: RuleForm): Rule["then"] {
  return act === "approvals" ? { act, count: Number(approvals), role } : { act };
}
