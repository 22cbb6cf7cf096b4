// Sets the limits of one currency. An empty field is no limit.

import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import type { LimitsLine } from "@server/operator/limits/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { amountText, readMoney } from "../money.ts";
import { Problem } from "../parts/problem.tsx";

type Amounts = Omit<LimitsLine, "currency">;

const fields: readonly { name: keyof Amounts; label: string; description: string }[] = [
  {
    ...{ name: "per_payout_max", label: "A payout at most" },
    description: "More at once is refused",
  },
  {
    ...{ name: "per_day_max", label: "A day at most" },
    description: "What would go beyond is refused until the next day of UTC",
  },
  {
    ...{ name: "approval_above", label: "Needs approval above" },
    description: "A payout of more waits for a second person",
  },
];

export function LimitsDialog({
  line,
  onClose,
}: {
  line: LimitsLine | "new" | undefined;
  onClose: () => void;
}) {
  const title = line === "new" ? "Limits of a currency" : `Limits in ${line?.currency ?? ""}`;
  return (
    <Modal opened={line !== undefined} onClose={onClose} title={title}>
      {line && <LimitsForm line={line === "new" ? undefined : line} onClose={onClose} />}
    </Modal>
  );
}

function LimitsForm({ line, onClose }: { line: LimitsLine | undefined; onClose: () => void }) {
  const [currency, setCurrency] = useState(line?.currency ?? "");
  const [typed, setTyped] = useState<Record<string, string>>(() => textsOf(line));
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const code = currency.trim().toUpperCase();
  const amounts = fields.map(({ name }) => {
    const text = typed[name]?.trim() ?? "";
    return { name, value: text === "" ? null : readMoney(text, code) };
  });
  const isFine = /^[A-Z]{3}$/.test(code) && amounts.every(({ value }) => value !== undefined);
  const set = useMutation({
    mutationFn: () => {
      const limits = Object.fromEntries(amounts.map(({ name, value }) => [name, value]));
      return send("PUT", apiOf("/limits"), { currency: code, ...limits });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [id, "limits"] });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isFine) set.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {!line && (
          <TextInput
            label="Currency"
            placeholder="AUD"
            maxLength={3}
            required
            value={currency}
            onChange={(event) => setCurrency(event.currentTarget.value)}
            data-autofocus
          />
        )}
        {fields.map(({ name, label, description }, index) => (
          <TextInput
            key={name}
            label={label}
            description={`${description}. Empty: no limit.`}
            inputMode="decimal"
            rightSection={code}
            rightSectionWidth={48}
            value={typed[name] ?? ""}
            onChange={({ currentTarget: { value } }) => setTyped({ ...typed, [name]: value })}
            error={amounts[index]?.value === undefined && "Write it like 1,000.00"}
            {...(line && index === 0 ? { "data-autofocus": true } : {})}
          />
        ))}
        <Problem error={set.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isFine} loading={set.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function textsOf(line: LimitsLine | undefined): Record<string, string> {
  if (!line) return {};
  return Object.fromEntries(
    fields.map(({ name }) => {
      const value = line[name];
      return [name, value === null ? "" : amountText(value, line.currency)];
    }),
  );
}
