// Chooses the receiver, found as the search finds them, and one of their bank accounts.

import { Select, Stack, Text } from "@mantine/core";
import type { Payee } from "@server/doors/console/payouts/schema.ts";
import { useState } from "react";
import { type FoundReceiver, useBlockedPayees, useFoundReceivers } from "../api/receivers.ts";
import { Marked } from "../parts/marked.tsx";
import { payoutsTexts } from "../texts/payouts.ts";

export function ReceiverPicker({
  value,
  known,
  onChange,
}: {
  value: string | null;
  /** The chosen receiver of a restored form. */
  known: Choice | undefined;
  onChange: (receiverId: string | null) => void;
}) {
  const [typed, setTyped] = useState("");
  const [picked, setPicked] = useState<Choice>();
  const chosen = picked?.value === value ? picked : known?.value === value ? known : undefined;
  const isChosen = chosen !== undefined && typed.trim() === chosen.label;
  const { rows, isLoading } = useFoundReceivers(isChosen ? "" : typed);
  const found = rows.map(({ id, name, detail }) => ({
    value: id,
    label: nameAndEmail(name, detail),
  }));
  const all =
    chosen && !found.some((one) => one.value === chosen.value) ? [chosen, ...found] : found;
  const blocked = useBlockedPayees(rows.map(({ id }) => id));
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return (
    <Select
      label={payoutsTexts.receiver}
      required
      searchable
      clearable
      placeholder="Name, email, reference or ID"
      nothingFoundMessage={isLoading ? "Searching…" : "No match"}
      data={all}
      // The server has searched already: all its results are shown.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <ReceiverOption
          row={rowOf.get(option.value)}
          label={option.label}
          blockedBy={blocked.get(option.value)}
        />
      )}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => {
        setPicked(all.find((one) => one.value === id));
        onChange(id);
      }}
      data-autofocus
    />
  );
}

type Choice = { value: string; label: string };

/** The name with the first part of the detail, which is the email. */
function nameAndEmail(name: string, detail: string): string {
  return `${name} · ${detail.split(" · ")[0]}`;
}

function ReceiverOption({
  row,
  label,
  blockedBy,
}: {
  row: FoundReceiver | undefined;
  label: string;
  blockedBy: string | undefined;
}) {
  if (!row) return label;
  return (
    <Stack gap={0}>
      <Text size="sm" dir="auto">
        <Marked text={row.name} marks={row.name_marks} />
      </Text>
      <Text size="xs" c="dimmed">
        <Marked text={row.detail} marks={row.detail_marks} />
      </Text>
      {blockedBy && (
        <Text size="xs" fw={500}>
          {`Can't be paid: ${blockedBy.charAt(0).toLowerCase()}${blockedBy.slice(1)}`}
        </Text>
      )}
    </Stack>
  );
}

export function AccountPicker({
  payee,
  value,
  onChange,
}: {
  payee: Payee | undefined;
  value: string | null;
  onChange: (accountId: string | null) => void;
}) {
  const accounts = payee?.accounts ?? [];
  if (payee && accounts.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {`${payee.name} has no bank account yet.`}
      </Text>
    );
  }
  return (
    <Select
      label={payoutsTexts.bankAccount}
      required
      disabled={!payee}
      placeholder={payee ? "Choose a bank account" : "Choose a receiver first"}
      data={accounts.map(({ id, business, tail, bank_name, country, blocked_by }) => ({
        value: id,
        label: [business, bank_name, tail, country, blocked_by && `(${blocked_by})`]
          .filter(Boolean)
          .join(" "),
        disabled: blocked_by !== null,
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
