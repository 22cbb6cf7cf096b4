// What the subaccount may pay out, and from which amount on a second person has to approve it.

import { Button, Group, Modal, Select, Stack, Table, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import type { Limits, LimitsLine } from "@server/operator/limits/schema.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { get, send } from "../api/call.ts";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { amountText, readMoney } from "../money.ts";
import { Empty } from "../parts/empty.tsx";
import { Money } from "../parts/money.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";

const fields = [
  { name: "per_payout_max", label: "Most for one payout", none: "no limit" },
  { name: "per_day_max", label: "Most on one day (UTC)", none: "no limit" },
  { name: "approval_above", label: "Approval above", none: "never" },
] as const;
type Field = (typeof fields)[number]["name"];

const usual = ["AUD", "NZD", "USD", "EUR", "GBP", "CAD", "SGD", "JPY", "INR", "PHP"];

export function LimitsTab() {
  const { id, is_closed } = useSubaccount();
  const apiOf = useApiOf();
  const mayWrite = useMay("limits.write") && !is_closed;
  const [changed, setChanged] = useState<LimitsLine | "new">();
  const { data, error, refetch } = useQuery({
    queryKey: [id, "limits"],
    queryFn: ({ signal }) => get<Limits>(apiOf("/limits"), {}, signal),
  });
  if (!data) return <Problem error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap="md">
      <Panel
        title="Limits and approvals"
        flush
        actions={
          mayWrite && (
            <Button size="compact-sm" variant="default" onClick={() => setChanged("new")}>
              Add a currency
            </Button>
          )
        }
      >
        {data.rows.length === 0 ? (
          <Empty
            title="Nothing is limited, and nothing waits for approval"
            line={`npx disburse ledger limit --currency AUD --approval-above 1000 --subaccount ${id}`}
          />
        ) : (
          <Rows rows={data.rows} onChange={mayWrite ? setChanged : undefined} />
        )}
      </Panel>
      <Text size="sm" c="dimmed">
        A payout of more than “Approval above” waits until somebody else than who made it has
        approved it. One that was made with an API key waits for any one person.
      </Text>
      <Modal
        opened={changed !== undefined}
        onClose={() => setChanged(undefined)}
        title={changed === "new" ? "Limits of a currency" : `Limits of ${changed?.currency}`}
      >
        {changed && (
          <LimitsForm
            line={changed === "new" ? undefined : changed}
            onClose={() => setChanged(undefined)}
          />
        )}
      </Modal>
    </Stack>
  );
}

function Rows({
  rows,
  onChange,
}: {
  rows: readonly LimitsLine[];
  onChange: ((line: LimitsLine) => void) | undefined;
}) {
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table aria-label="Limits by currency">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Currency</Table.Th>
            {fields.map(({ name, label }) => (
              <Table.Th key={name} ta="right">
                {label}
              </Table.Th>
            ))}
            {onChange && <Table.Th aria-label="Change" />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.currency}>
              <Table.Td>{row.currency}</Table.Td>
              {fields.map(({ name, none }) => {
                const amount = row[name];
                return (
                  <Table.Td key={name} ta="right">
                    {amount === null ? none : <Money amount={amount} currency={row.currency} />}
                  </Table.Td>
                );
              })}
              {onChange && (
                <Table.Td ta="right">
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Change the limits of ${row.currency}`}
                    onClick={() => onChange(row)}
                  >
                    Change
                  </Button>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function LimitsForm({ line, onClose }: { line: LimitsLine | undefined; onClose: () => void }) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const shown = (field: Field) => {
    const amount = line?.[field] ?? null;
    return line && amount !== null ? amountText(amount, line.currency) : "";
  };
  const form = useForm({
    initialValues: {
      currency: line?.currency ?? "AUD",
      per_payout_max: shown("per_payout_max"),
      per_day_max: shown("per_day_max"),
      approval_above: shown("approval_above"),
    },
    validate: (values) =>
      Object.fromEntries(
        fields
          .filter(
            ({ name }) => values[name] && readMoney(values[name], values.currency) === undefined,
          )
          .map(({ name }) => [name, `Not an amount of ${values.currency}`]),
      ),
  });
  const save = useMutation({
    mutationFn: ({ currency, ...typed }: typeof form.values) => {
      const amount = (text: string) => readMoney(text, currency) ?? null;
      return send("PUT", apiOf("/limits"), {
        currency,
        ...Object.fromEntries(fields.map(({ name }) => [name, amount(typed[name])])),
      });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [id, "limits"] });
      notifications.show({ message: "Saved", color: "teal" });
      onClose();
    },
    onError: (error) => {
      if (error instanceof ApiProblem) form.setErrors(error.byField());
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Stack gap="md">
        {!line && (
          <Select
            label="Currency"
            data={usual}
            allowDeselect={false}
            {...form.getInputProps("currency")}
          />
        )}
        {fields.map(({ name, label, none }) => (
          <TextInput
            key={name}
            label={label}
            description={
              name === "approval_above"
                ? "Left empty: never. 0: every payout waits."
                : `Left empty: ${none}.`
            }
            inputMode="decimal"
            rightSection={<Text size="xs">{form.values.currency}</Text>}
            rightSectionWidth={48}
            {...form.getInputProps(name)}
          />
        ))}
        <Problem error={save.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
