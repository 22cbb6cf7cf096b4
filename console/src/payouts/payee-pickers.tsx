// Chooses who is paid, by name, e-mail address or id, and which of their accounts.

import { Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { Payee } from "@server/operator/payouts/schema.ts";
import type { ReceiverLine, ReceiversPage } from "@server/operator/receivers/schema.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";

export function usePayee(receiverId: string | null): Payee | undefined {
  const { id } = useSubaccount();
  const path = useApiOf()(`/payouts/payees/${receiverId}`);
  const { data } = useQuery({
    queryKey: [id, "receivers", "payee", receiverId],
    queryFn: ({ signal }) => get<Payee>(path, {}, signal),
    enabled: receiverId !== null,
  });
  return receiverId === null ? undefined : data;
}

export function ReceiverPicker({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (receiverId: string | null) => void;
}) {
  const { id } = useSubaccount();
  const path = useApiOf()("/receivers");
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<ReceiverLine>();
  const [searched] = useDebouncedValue(typed.trim(), 200);
  const isChosen = chosen !== undefined && chosen.id === value && searched === labelOf(chosen);
  const q = isChosen ? "" : searched;
  const { data } = useQuery({
    queryKey: [id, "receivers", "picker", q],
    queryFn: ({ signal }) => get<ReceiversPage>(path, { q, limit: 10 }, signal),
    placeholderData: keepPreviousData,
  });
  const found = data?.rows ?? [];
  const all = chosen && !found.some((one) => one.id === chosen.id) ? [chosen, ...found] : found;
  return (
    <Select
      label="Receiver"
      required
      searchable
      clearable
      placeholder="Name, e-mail address or id"
      nothingFoundMessage="Nobody like that"
      data={all.map((one) => ({ value: one.id, label: labelOf(one) }))}
      // The server has searched: what it found is shown, by whatever it was found.
      filter={({ options }) => options}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(picked) => {
        setChosen(all.find((one) => one.id === picked));
        onChange(picked);
      }}
      data-autofocus
    />
  );
}

function labelOf({ name, email }: ReceiverLine): string {
  return `${name} · ${email}`;
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
        {payee.name} has no bank account yet.
      </Text>
    );
  }
  return (
    <Select
      label="Account"
      required
      disabled={!payee}
      placeholder={payee ? "Which of the receiver's accounts" : "Choose the receiver first"}
      data={accounts.map(({ id, tail, bank_name, country, hindrance }) => ({
        value: id,
        label: [bank_name, tail, country, hindrance && `(${hindrance})`].filter(Boolean).join(" "),
        disabled: hindrance !== null,
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
