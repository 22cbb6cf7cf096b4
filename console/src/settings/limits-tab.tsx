// The payout limits of the subaccount, and the amounts above which payouts need approval.

import { Autocomplete, Button, Group, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import type { Limits, LimitsLine, WaitingLimits } from "@server/doors/console/limits/schema.ts";
import type { ChangedLimits } from "@server/money/payouts/schema.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApprover } from "../api/approver.ts";
import { get, send } from "../api/call.ts";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { onePageOf } from "../api/page.ts";
import { ApiProblem } from "../api/problem.ts";
import { AmountField } from "../parts/amount-field.tsx";
import { ApprovalsLink } from "../parts/approvals-link.tsx";
import { Empty } from "../parts/empty.tsx";
import { Facts } from "../parts/facts.tsx";
import { DialogForm, FormDialog } from "../parts/form-dialog.tsx";
import { Money } from "../parts/money.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Panel } from "../parts/panel.tsx";
import { WhenBy } from "../parts/when-by.tsx";
import { countText } from "../state/locale.ts";
import { amountText, moneyHint, moneyText, readMoney, usualCurrencies } from "../state/money.ts";
import { whoText } from "../state/who.ts";
import { settingsTexts } from "../texts/settings.ts";

/** A title is short, so that all columns fit. */
const fields = [
  { name: "per_payout_max", label: "Max per payout", none: settingsTexts.noLimit },
  { name: "per_day_max", label: "Max per day (UTC)", none: settingsTexts.noLimit },
  { name: "approval_above", label: "Approval above", none: "never" },
  {
    name: "batch_approval_above",
    label: "Approval above, per batch",
    title: "Approval per batch",
    none: "never",
  },
  {
    name: "receiver_day_approval_above",
    label: "Approval above, per receiver and day (UTC)",
    title: "Approval per receiver/day",
    none: "never",
  },
  {
    name: "account_day_approval_above",
    label: "Approval above, per bank account and day (UTC)",
    title: "Approval per account/day",
    none: "never",
  },
] as const satisfies readonly { name: string; label: string; title?: string; none: string }[];
type Field = (typeof fields)[number]["name"];

export function LimitsTab() {
  const { id, is_closed } = useSubaccount();
  const apiOf = useApiOf();
  const mayWrite = useMay("limits.write") && !is_closed;
  const approver = useApprover("payouts.approve");
  const [changed, setChanged] = useState<LimitsLine | "new">();
  const { data, error, refetch } = useQuery({
    queryKey: [id, "limits"],
    queryFn: ({ signal }) => get<Limits>(apiOf("/limits"), {}, signal),
  });
  const columns: readonly Column<ShownLine>[] = [
    {
      key: "currency",
      title: settingsTexts.currency,
      cell: ({ title, currency }) => title ?? currency,
    },
    ...fields.map(
      ({ name, label, none, ...field }): Column<ShownLine> => ({
        key: name,
        title: "title" in field ? field.title : label,
        align: "right",
        cell: ({ [name]: amount, currency, title }) =>
          amount === null ? (
            none
          ) : title ? (
            `${countText(amount)} units (default)`
          ) : (
            <Money amount={amount} currency={currency} />
          ),
      }),
    ),
    ...(mayWrite ? [changeColumn(setChanged)] : []),
  ];
  const rows = data && shownRows(data);
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" maw={720}>
          A payout above “Approval above” needs approval
          {approver.isOneEnough ? ", also by its creator" : " by another user than its creator"}. A
          payout made with an API key needs one approval.
        </Text>
        {mayWrite && (
          <Button variant="default" onClick={() => setChanged("new")}>
            Add currency
          </Button>
        )}
      </Group>
      <PageTable
        label="Limits by currency"
        columns={columns}
        page={onePageOf({ data: rows && { rows }, error, isLoading: !rows, refetch })}
        rowKey={({ currency }) => currency}
        empty={
          <Empty
            title="No limits yet"
            hint="Add a currency to limit its payouts, or to require approval above an amount."
          />
        }
      />
      {data?.waiting.map((request) => (
        <WaitingRequest key={request.currency} request={request} />
      ))}
      <FormDialog
        opened={changed !== undefined}
        onClose={() => setChanged(undefined)}
        title={changed === "new" ? "Add currency limits" : `${changed?.currency ?? ""} limits`}
      >
        {changed && data && (
          <LimitsForm
            line={changed === "new" ? undefined : changed}
            defaultUnits={data.default_units}
            taken={data.rows.map(({ currency }) => currency)}
            onClose={() => setChanged(undefined)}
          />
        )}
      </FormDialog>
    </Stack>
  );
}

/** What waits for another admin: the values in force stay until then. */
function WaitingRequest({ request }: { request: WaitingLimits }) {
  const { currency, made_by, made_at, changes } = request;
  const seesQueue = useMay("approvals.read");
  const approver = useApprover("limits.write", "another admin");
  const title = `Requested limits of ${currency}`;
  const textOf = (amount: number | null, none: string) =>
    amount === null ? none : moneyText(amount, currency);
  return (
    <Panel title={title}>
      <Text size="sm">
        {`${approver.first} has to approve these. Until then the limits above are in force. Saving other limits of this currency withdraws the request.`}
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        <WhenBy ms={made_at} who={whoText(made_by)} />
      </Text>
      <Facts
        items={fields.map(({ name, label, none }) => {
          const change = changes.find(({ field }) => field === name);
          return (
            change && {
              label,
              value: `${textOf(change.before, none)} to ${textOf(change.after, none)}`,
            }
          );
        })}
      />
      {seesQueue && (
        <Text size="sm" mt="xs">
          <ApprovalsLink kind="limits" />
        </Text>
      )}
    </Panel>
  );
}

/** With a title: the default of every currency that is not listed, in units of the currency. */
type ShownLine = LimitsLine & { title?: string };

/** A live subaccount has default thresholds where none are set. */
function shownRows({ rows, default_units: units }: Limits): readonly ShownLine[] {
  if (units === null) return rows;
  const title = rows.length > 0 ? "Every other currency" : "Every currency";
  const thresholds = {
    approval_above: units,
    batch_approval_above: units,
    receiver_day_approval_above: units,
    account_day_approval_above: units,
  };
  return [...rows, { title, currency: "", per_payout_max: null, per_day_max: null, ...thresholds }];
}

function changeColumn(onChange: (line: LimitsLine) => void): Column<ShownLine> {
  return {
    key: "change",
    title: "Action",
    align: "right",
    cell: (line) =>
      !line.title && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Edit limits of ${line.currency}`}
          onClick={() => onChange(line)}
        >
          Edit
        </Button>
      ),
  };
}

function LimitsForm({
  line,
  defaultUnits,
  taken,
  onClose,
}: {
  /** Undefined: of a currency that has none yet. */
  line: LimitsLine | undefined;
  /** The thresholds of a currency that has none yet. Null: none. */
  defaultUnits: number | null;
  taken: readonly string[];
  onClose: () => void;
}) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const shown = (field: Field) => {
    const amount = line?.[field] ?? null;
    return line && amount !== null ? amountText(amount, line.currency) : "";
  };
  const form = useForm({
    initialValues: {
      currency: line?.currency ?? "",
      per_payout_max: shown("per_payout_max"),
      per_day_max: shown("per_day_max"),
      approval_above: shown("approval_above"),
      batch_approval_above: shown("batch_approval_above"),
      receiver_day_approval_above: shown("receiver_day_approval_above"),
      account_day_approval_above: shown("account_day_approval_above"),
    },
    validate: (values) => {
      // Saving would overwrite the limits that exist.
      if (!line && taken.includes(values.currency)) {
        return { currency: "Limits already exist. Edit them in the table." };
      }
      return Object.fromEntries(
        fields
          .filter(
            ({ name }) => values[name] && readMoney(values[name], values.currency) === undefined,
          )
          .map(({ name }) => [name, moneyHint(values.currency)]),
      );
    },
  });
  const approver = useApprover("limits.write", "another admin");
  const save = useMutation({
    mutationFn: ({ currency, ...typed }: typeof form.values) => {
      const amount = (text: string) => readMoney(text, currency) ?? null;
      return send<ChangedLimits>("PUT", apiOf("/limits"), {
        currency,
        ...Object.fromEntries(fields.map(({ name }) => [name, amount(typed[name])])),
      });
    },
    onSuccess: async ({ awaits_approval, applied }) => {
      await client.invalidateQueries({ queryKey: [id, "limits"] });
      void client.invalidateQueries({ queryKey: ["waiting", "approvals"] });
      const message = awaits_approval
        ? `${applied ? "Stricter limits are in force. " : ""}Looser limits wait in Approvals: ${approver.within} has to approve them.`
        : "Limits saved";
      notifications.show({ message, color: "teal" });
      onClose();
    },
    onError: (error) => {
      if (error instanceof ApiProblem) form.setErrors(error.byField());
    },
  });
  /** A new currency starts with the values in force: saving must not remove a default by itself. */
  const setCurrency = (code: string) => {
    form.setFieldValue("currency", code);
    if (defaultUnits === null || code.length !== 3) return;
    const amount = readMoney(String(defaultUnits), code);
    if (amount === undefined) return;
    for (const { name } of fields) {
      if (name.endsWith("approval_above")) form.setFieldValue(name, amountText(amount, code));
    }
  };
  return (
    <DialogForm
      act={save}
      label={settingsTexts.save}
      fields={Object.keys(form.values)}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClose={onClose}
    >
      {!line && (
        <Autocomplete
          label={settingsTexts.currency}
          data={usualCurrencies.filter((code) => !taken.includes(code))}
          maxLength={3}
          required
          {...form.getInputProps("currency")}
          onChange={(code) => setCurrency(code.toUpperCase())}
          // Enter chooses a currency, and does not save.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
      )}
      {!line && defaultUnits !== null && (
        <Text size="sm" c="dimmed">
          The thresholds are the defaults of live mode, which are in force. Change only what you
          want to change.
        </Text>
      )}
      {fields.map(({ name, label, none }) => (
        <AmountField
          key={name}
          label={label}
          description={
            name.endsWith("approval_above")
              ? "Empty: no approval needed. 0: every payout needs approval."
              : `Empty: ${none}.`
          }
          currency={form.values.currency.length === 3 ? form.values.currency : null}
          rightSection={<Text size="xs">{form.values.currency}</Text>}
          rightSectionWidth={48}
          {...form.getInputProps(name)}
          value={form.values[name]}
        />
      ))}
    </DialogForm>
  );
}
