// Adds a rule to a proposal, or changes one. The server checks it before it is taken.

import {
  Autocomplete,
  Group,
  MultiSelect,
  Select,
  SimpleGrid,
  TagsInput,
  TextInput,
} from "@mantine/core";
import type { CheckedRules, Rule } from "@server/doors/console/rules/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/call.ts";
import { ApiProblem } from "../api/problem.ts";
import { AmountField } from "../parts/amount-field.tsx";
import { DialogForm, FormDialog, useDialogDraft } from "../parts/form-dialog.tsx";
import { Restored } from "../parts/restored.tsx";
import { SubaccountsField } from "../parts/subaccounts-field.tsx";
import { usualCurrencies } from "../state/money.ts";
import { rulesTexts } from "../texts/rules.ts";
import { usersTexts } from "../texts/users.ts";
import {
  type ApprovingRole,
  blankRule,
  errorsOf,
  type Fact,
  formOfRule,
  type RuleForm,
  ruleOfForm,
} from "./rule-form.ts";

const facts = {
  sum: "The sum of payouts is above an amount",
  count: "The number of payouts is above a number",
  first_payout: "An account is paid for the first time",
  details_changed: "Bank details changed recently",
  shared_account: "Another receiver has the same account",
  above_median: "A payout is far above the receiver's usual amount",
  country: "The account or the receiver is in a country",
  screening_review: "The receiver has an open or confirmed hit",
  identity_review: "The identity check of the receiver waits for a review",
  payee_name: "The payee name check has an outcome",
} as const;

const subjects = {
  receiver: "Receiver",
  account: "Receiver account",
  subaccount: "Subaccount",
} as const;
const windows = { hour: "An hour", day: "A day", month: "30 days" } as const;

const acts = {
  hold: "Hold for a review",
  second_person: "Ask for approval by a second user",
  approvals: "Ask for approval by several users",
  refuse: "Refuse",
} as const;

const payeeResults = {
  match: "Name matches",
  close_match: "Name nearly matches",
  no_match: "Name does not match",
  unavailable: "No answer from the bank",
} as const;

const optionsOf = <Value extends string>(words: Record<Value, string>) =>
  Object.entries<string>(words).map(([value, label]) => ({ value, label }));
const roleOptions = [
  { value: "", label: "Any role that may approve" },
  { value: "admin", label: usersTexts.admin },
  { value: "operator", label: usersTexts.operator },
  { value: "approver", label: usersTexts.approver },
  { value: "finance", label: usersTexts.finance },
];

type RuleDialogProps = {
  opened: boolean;
  /** Undefined: a new one. */
  rule: Rule | undefined;
  newId: () => string;
  onRule: (rule: Rule, sentence: string) => void;
  onClose: () => void;
};

export function RuleDialog({ opened, ...form }: RuleDialogProps) {
  const { rule, onClose } = form;
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      size="lg"
      title={rule ? rulesTexts.editRule(rule.name) : rulesTexts.addRule}
    >
      <RuleFields {...form} />
    </FormDialog>
  );
}

function RuleFields({ rule, newId, onRule, onClose }: Omit<RuleDialogProps, "opened">) {
  const [before] = useState(() => (rule ? formOfRule(rule) : blankRule));
  const draft = useDialogDraft(`rule-${rule?.id ?? "new"}`, before);
  const { fields: form, change } = draft;
  const [isTried, setTried] = useState(false);
  const check = useMutation({
    mutationFn: () => {
      const rules = [ruleOfForm(rule?.id ?? newId(), form)];
      return send<CheckedRules>("POST", "/rules/check", { rules });
    },
    onSuccess: ({ rules: [checked] }) => {
      if (checked) onRule(checked.rule, checked.sentence);
      onClose();
    },
  });
  const typed = errorsOf(form);
  const errors = isTried ? typed : {};
  const served = check.error instanceof ApiProblem ? check.error.byField() : {};
  const wrong = (field: string) => served[`rules[0].${field}`];
  const isCounted = form.fact === "sum" || form.fact === "count";
  return (
    <DialogForm
      act={check}
      label="Save rule"
      onSubmit={() => {
        setTried(true);
        if (Object.keys(typed).length === 0) check.mutate();
      }}
      onClose={onClose}
    >
      <Restored draft={draft} />
      <TextInput
        label="Name"
        description="Shown with each payout to which the rule applies."
        value={form.name}
        error={wrong("name")}
        maxLength={100}
        required
        data-autofocus
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Select
        label="When"
        data={optionsOf(facts)}
        value={form.fact}
        allowDeselect={false}
        maxDropdownHeight={320}
        onChange={(fact) => {
          if (fact) change(changesOfFact(form, fact as Fact));
        }}
      />
      {isCounted && <CountedFields form={form} errors={errors} onChange={change} />}
      <FactFields form={form} errors={errors} onChange={change} />
      <Select
        label="Then"
        data={optionsOf(acts)}
        value={form.act}
        allowDeselect={false}
        onChange={(act) => act && change({ act: act as RuleForm["act"] })}
      />
      {form.act === "approvals" && (
        <Group grow align="flex-start">
          <TextInput
            label="Approvals"
            inputMode="numeric"
            value={form.approvals}
            error={errors.approvals ?? wrong("then.count")}
            onChange={(event) => change({ approvals: event.currentTarget.value })}
          />
          <Select
            label="Role"
            data={roleOptions}
            value={form.role}
            allowDeselect={false}
            onChange={(role) => role !== null && change({ role: role as ApprovingRole })}
          />
        </Group>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {form.fact !== "sum" && (
          <CurrencyField form={form} error={wrong("currency")} onChange={change} />
        )}
        <Select
          label="Mode"
          data={[
            { value: "", label: "Live and test mode" },
            { value: "live", label: "Live mode" },
            { value: "test", label: "Test mode" },
          ]}
          value={form.mode}
          allowDeselect={false}
          onChange={(mode) => mode !== null && change({ mode: mode as RuleForm["mode"] })}
        />
      </SimpleGrid>
      <SubaccountsField
        label="Subaccounts"
        placeholder="All subaccounts"
        value={form.subaccountIds}
        error={wrong("subaccount_ids")}
        onChange={(subaccountIds) => change({ subaccountIds })}
      />
    </DialogForm>
  );
}

type FieldsProps = {
  form: RuleForm;
  errors: Partial<Record<keyof RuleForm, string>>;
  onChange: (changes: Partial<RuleForm>) => void;
};

/** A sum is always of one currency. */
function changesOfFact(form: RuleForm, fact: Fact): Partial<RuleForm> {
  return fact === "sum" && form.currency === "" ? { fact, currency: "AUD" } : { fact };
}

function CurrencyField({
  form,
  error,
  onChange,
}: Omit<FieldsProps, "errors"> & { error: string | undefined }) {
  return (
    <Autocomplete
      label="Currency"
      placeholder={form.fact === "sum" ? "" : "Every currency"}
      data={usualCurrencies}
      maxLength={3}
      value={form.currency}
      error={error}
      onChange={(currency) => onChange({ currency: currency.toUpperCase() })}
    />
  );
}

function CountedFields({ form, errors, onChange }: FieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label="Of each"
        data={optionsOf(subjects)}
        value={form.of}
        allowDeselect={false}
        onChange={(of) => of && onChange({ of: of as RuleForm["of"] })}
      />
      <Select
        label="Within"
        data={optionsOf(windows)}
        value={form.window}
        allowDeselect={false}
        onChange={(window) => window && onChange({ window: window as RuleForm["window"] })}
      />
      {form.fact === "sum" ? (
        <>
          <AmountField
            label="Sum above"
            currency={form.currency}
            value={form.aboveSum}
            error={errors.aboveSum}
            onChange={(event) => onChange({ aboveSum: event.currentTarget.value })}
          />
          <CurrencyField form={form} error={undefined} onChange={onChange} />
        </>
      ) : (
        <TextInput
          label="More payouts than"
          inputMode="numeric"
          value={form.aboveCount}
          error={errors.aboveCount}
          onChange={(event) => onChange({ aboveCount: event.currentTarget.value })}
        />
      )}
    </SimpleGrid>
  );
}

function FactFields({ form, errors, onChange }: FieldsProps) {
  if (form.fact === "details_changed")
    return (
      <TextInput
        label="Hours since the change"
        inputMode="numeric"
        value={form.withinHours}
        error={errors.withinHours}
        onChange={(event) => onChange({ withinHours: event.currentTarget.value })}
      />
    );
  if (form.fact === "above_median")
    return (
      <TextInput
        label="Times the median"
        inputMode="decimal"
        value={form.times}
        error={errors.times}
        onChange={(event) => onChange({ times: event.currentTarget.value })}
      />
    );
  if (form.fact === "country")
    return (
      <TagsInput
        label="Countries"
        description="Codes with three letters, such as CUB."
        value={form.countries}
        onChange={(countries) =>
          onChange({ countries: countries.map((code) => code.toUpperCase()) })
        }
      />
    );
  if (form.fact === "payee_name")
    return (
      <MultiSelect
        label="Outcomes of the check"
        data={optionsOf(payeeResults)}
        value={form.payeeResults}
        onChange={(results) => onChange({ payeeResults: results as RuleForm["payeeResults"] })}
      />
    );
  return null;
}
