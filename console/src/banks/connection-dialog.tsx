// The form of a bank connection. The fields of our own account come from the format.

import { Group, NumberInput, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type {
  ConnectionFields,
  FormatList,
  SettingField,
} from "@server/doors/console/banks/schema.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, send } from "../api/call.ts";
import { ApiProblem } from "../api/problem.ts";
import { AmountField } from "../parts/amount-field.tsx";
import { DialogForm, FormDialog } from "../parts/form-dialog.tsx";
import { Problem } from "../parts/problem.tsx";
import { SubaccountsField } from "../parts/subaccounts-field.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { moneyHint } from "../state/money.ts";
import { banksTexts } from "../texts/banks.ts";
import {
  blankForm,
  bodyOf,
  type ConnectionForm,
  formOf,
  isAmountWrong,
  readTotal,
} from "./connection-form.ts";
import { FeeFields } from "./fee-fields.tsx";
import { SftpFields } from "./sftp-fields.tsx";

export function ConnectionDialog({
  opened,
  id,
  title,
  onClose,
  onRequested,
}: {
  opened: boolean;
  /** Undefined: a new one. */
  id: string | undefined;
  title: string;
  onClose: () => void;
  onRequested: () => void;
}) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={title} size="lg">
      {opened && <Loaded id={id} onClose={onClose} onRequested={onRequested} />}
    </FormDialog>
  );
}

type LoadedProps = { id: string | undefined; onClose: () => void; onRequested: () => void };

function Loaded({ id, ...rest }: LoadedProps) {
  const formats = useQuery({
    queryKey: ["bank-formats"],
    queryFn: ({ signal }) => get<FormatList>("/banks/formats", {}, signal),
  });
  const current = useQuery({
    queryKey: ["bank-connection", id],
    queryFn: ({ signal }) => get<ConnectionFields>(`/banks/connections/${id}`, {}, signal),
    enabled: id !== undefined,
    gcTime: 0,
    // A form that is being filled in is not replaced.
    refetchOnWindowFocus: false,
  });
  const error = formats.error ?? current.error;
  if (error) return <Problem error={error} />;
  if (!formats.data || (id !== undefined && !current.data)) return <PageLoading />;
  return <Form id={id} formats={formats.data} current={current.data} {...rest} />;
}

function Form({
  id,
  formats,
  current,
  onClose,
  onRequested,
}: LoadedProps & { formats: FormatList; current: ConnectionFields | undefined }) {
  const [form, setForm] = useState(() =>
    current ? formOf(current) : blankForm(formats.rows[0] as FormatList["rows"][number]),
  );
  const change = (changes: Partial<ConnectionForm>) => setForm({ ...form, ...changes });
  const format = formats.rows.find((one) => one.format === form.format);
  const act = useMutation({
    mutationFn: () => {
      const fields = bodyOf(form, format?.settings ?? [], current !== undefined);
      return id === undefined
        ? send("POST", "/banks/connections", { fields })
        : send("PATCH", `/banks/connections/${id}`, { fields });
    },
    onSuccess: () => {
      onRequested();
      onClose();
      notifications.show({ message: banksTexts.requested, color: "teal" });
    },
  });
  const wrong = act.error instanceof ApiProblem ? act.error.byField() : {};
  const isTotalWrong = readTotal(form) === undefined;
  const text = (name: TextField, label: string, description?: string) => (
    <TextInput
      label={label}
      description={description}
      value={form[name]}
      error={wrong[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <DialogForm
      act={act}
      label={banksTexts.request}
      isReady={form.name.trim() !== "" && !isAmountWrong(form)}
      fields={Object.keys(wrong)}
      onSubmit={() => act.mutate()}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        Another admin has to approve it before it is saved.
      </Text>
      <Group grow align="flex-start">
        <TextInput
          label={banksTexts.name}
          required
          // Files and payouts name it, so it stays.
          disabled={current !== undefined}
          value={form.name}
          error={wrong.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          data-autofocus
        />
        <Select
          label="Format"
          data={formats.rows.map((one) => one.format)}
          value={form.format}
          disabled={current !== undefined}
          allowDeselect={false}
          onChange={(chosen) => {
            const next = formats.rows.find((one) => one.format === chosen);
            if (next) setForm({ ...blankForm(next), name: form.name, mode: form.mode });
          }}
        />
      </Group>
      <Group grow align="flex-start">
        <TextInput
          label="Currency"
          value={form.currency}
          error={wrong.currency}
          disabled={current !== undefined}
          onChange={(event) => change({ currency: event.currentTarget.value.toUpperCase() })}
        />
        {text(
          "countries",
          "Countries",
          "Alpha-3 codes of the accounts' countries, separated by commas",
        )}
      </Group>
      <Group grow align="flex-start">
        {text(
          "freeze_at",
          "Freeze at",
          "HH:MM. When the day's file is written. Empty: an hour before the cut-off.",
        )}
        {text(
          "bank_cutoff",
          banksTexts.bankCutoff,
          "HH:MM. Until when the bank takes a file for the day.",
        )}
      </Group>
      <Group grow align="flex-start">
        {text("time_zone", "Time zone")}
        <Select
          label="Calendar"
          data={formats.calendars}
          value={form.calendar}
          allowDeselect={false}
          onChange={(calendar) => calendar && change({ calendar })}
        />
      </Group>
      {text(
        "closed_days",
        "Closed days",
        "Days on which the bank is closed in addition to its calendar, as YYYY-MM-DD, separated by commas",
      )}
      <Group grow align="flex-start">
        <Select
          label="Payouts count as paid"
          data={[
            { value: "days", label: "after banking days without a return" },
            { value: "confirmed", label: "when the bank confirms them" },
            { value: "sent", label: "when the file is sent" },
          ]}
          value={form.success_when}
          allowDeselect={false}
          onChange={(chosen) => chosen && change({ success_when: chosen })}
        />
        {form.success_when === "days" && (
          <NumberInput
            label="Banking days"
            min={0}
            max={30}
            value={form.success_days}
            onChange={(days) => change({ success_days: Number(days) })}
          />
        )}
      </Group>
      <Select
        label="Users who release a file"
        data={["1", "2"]}
        value={String(form.releasers)}
        allowDeselect={false}
        onChange={(count) => change({ releasers: Number(count) })}
      />
      <Select
        label="Mode"
        data={[
          { value: "live", label: "Live" },
          { value: "test", label: "Test, with the bank simulator" },
        ]}
        value={form.mode}
        error={wrong.mode}
        disabled={current !== undefined}
        allowDeselect={false}
        onChange={(mode) => mode && change({ mode })}
      />
      <SubaccountsField
        label="Subaccounts"
        placeholder={
          form.mode === "test" ? "Choose at least one test subaccount" : "All live subaccounts"
        }
        value={form.subaccount_ids}
        error={wrong.subaccount_ids}
        onChange={(subaccount_ids) => change({ subaccount_ids })}
      />
      <Group grow align="flex-start">
        {text("file_count_max", "Most payouts in a file", banksTexts.noLimit)}
        <AmountField
          label="Largest total of a file"
          description={banksTexts.noLimit}
          currency={form.currency}
          value={form.file_total_max}
          error={isTotalWrong ? moneyHint(form.currency) : wrong.file_total_max}
          onChange={(event) => change({ file_total_max: event.currentTarget.value })}
        />
      </Group>
      <FeeFields form={form} currency={form.currency} wrong={wrong} onChange={change} />
      <Stack gap="sm" component="fieldset" m={0} p={0} bd={0}>
        <Text component="legend" size="sm" fw={600} p={0}>
          Our account
        </Text>
        {format?.settings.map((field) => (
          <Setting
            key={field.name}
            field={field}
            value={form.settings[field.name] ?? field.default}
            keeps={field.name === "account_number" ? current?.account : undefined}
            error={wrong[`settings.${field.name}`]}
            onChange={(value) => change({ settings: { ...form.settings, [field.name]: value } })}
          />
        ))}
      </Stack>
      <Select
        label="How files reach the bank"
        data={[
          { value: "download", label: "A user downloads them and uploads them at the bank" },
          { value: "sftp", label: "The service sends them by SFTP" },
        ]}
        value={form.travels}
        allowDeselect={false}
        onChange={(travels) => travels && change({ travels })}
      />
      {form.travels === "sftp" && (
        <SftpFields
          form={form.sftp}
          secretsSet={current?.sftp_secrets ?? []}
          wrong={wrong}
          onChange={(sftp) => change({ sftp })}
        />
      )}
    </DialogForm>
  );
}

type TextField =
  | "countries"
  | "closed_days"
  | "freeze_at"
  | "bank_cutoff"
  | "time_zone"
  | "file_count_max";

function Setting({
  field,
  value,
  keeps,
  error,
  onChange,
}: {
  field: SettingField;
  value: string;
  /** The masked number that stays if the field is left empty. */
  keeps: string | undefined;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  const label = field.description;
  if (field.kind === "yes_no") {
    return (
      <Switch
        label={label}
        checked={value === "true"}
        onChange={(event) => onChange(String(event.currentTarget.checked))}
      />
    );
  }
  if (field.kind === "choice") {
    return (
      <Select
        label={label}
        data={field.choices}
        value={value || null}
        error={error}
        allowDeselect={!field.is_required}
        onChange={(chosen) => onChange(chosen ?? "")}
      />
    );
  }
  return (
    <TextInput
      label={label}
      required={field.is_required && keeps === undefined}
      {...(keeps === undefined ? {} : { placeholder: `Empty: keep the number ending in ${keeps}` })}
      inputMode={field.kind === "number" ? "numeric" : "text"}
      value={value}
      error={error}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
