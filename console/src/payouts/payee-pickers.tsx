// Chooses the receiver, by name, email or ID, and one of their bank accounts.

import { Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { Payee } from "@server/console/payouts/schema.ts";
import type { ReceiversPage } from "@server/console/receivers/schema.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { payoutsTexts } from "../texts/payouts.ts";

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
  known,
  onChange,
}: {
  value: string | null;
  /** The chosen receiver of a restored form. */
  known: Choice | undefined;
  onChange: (receiverId: string | null) => void;
}) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const [typed, setTyped] = useState("");
  const [picked, setPicked] = useState<Choice>();
  const chosen = picked?.value === value ? picked : known?.value === value ? known : undefined;
  const [searched] = useDebouncedValue(typed.trim(), 200);
  const isChosen = chosen !== undefined && chosen.value === value && searched === chosen.label;
  const q = isChosen ? "" : searched;
  const { data: found = [] } = useQuery({
    queryKey: [id, "receivers", "picker", q],
    queryFn: async ({ signal }): Promise<Choice[]> => {
      if (isId(q)) {
        const { name } = await get<Payee>(apiOf(`/payouts/payees/${q}`), {}, signal);
        return [{ value: q.toLowerCase(), label: name }];
      }
      const { rows } = await get<ReceiversPage>(apiOf("/receivers"), { q, limit: 10 }, signal);
      return rows.map(({ id, name, email }) => ({ value: id, label: `${name} · ${email}` }));
    },
    placeholderData: keepPreviousData,
  });
  const all =
    chosen && !found.some((one) => one.value === chosen.value) ? [chosen, ...found] : found;
  return (
    <Select
      label={payoutsTexts.receiver}
      required
      searchable
      clearable
      placeholder={payoutsTexts.lastNameFirstAndLastName}
      nothingFoundMessage={payoutsTexts.noMatch}
      data={all}
      // The server has searched already: all its results are shown.
      filter={({ options }) => options}
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

function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
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
        {payoutsTexts.hasNoBankAccountYetAdd(payee.name)}
      </Text>
    );
  }
  return (
    <Select
      label={payoutsTexts.bankAccount}
      required
      disabled={!payee}
      placeholder={payee ? payoutsTexts.chooseABankAccount : payoutsTexts.chooseAReceiverFirst}
      data={accounts.map(({ id, tail, bank_name, country, blocked_by }) => ({
        value: id,
        label: [bank_name, tail, country, blocked_by && `(${blocked_by})`]
          .filter(Boolean)
          .join(" "),
        disabled: blocked_by !== null,
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
