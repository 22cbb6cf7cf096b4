// Adds test funds to a balance. Only subaccounts in test mode have this button.

import { Autocomplete, Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { TestFundsAdded } from "@server/doors/console/balances/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { AmountField } from "../parts/amount-field.tsx";
import { DialogForm, FormDialog } from "../parts/form-dialog.tsx";
import { Plus } from "../parts/icons.tsx";
import { useAskedDialog } from "../state/asked-dialog.ts";
import { moneyHint, moneyText, readMoney, usualCurrencies } from "../state/money.ts";
import { balancesTexts } from "../texts/balances.ts";

export function AddTestFunds({ currency = "AUD" }: { currency?: string }) {
  const { mode, is_closed } = useSubaccount();
  const [isOpen, setOpen] = useAskedDialog("funds");
  const close = () => setOpen(false);
  if (!useMay("balances.fund") || mode !== "test" || is_closed) return null;
  return (
    <>
      <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {balancesTexts.addTestFunds}
      </Button>
      <FormDialog opened={isOpen} onClose={close} title={balancesTexts.addTestFunds}>
        <TestFundsForm currency={currency} onClose={close} />
      </FormDialog>
    </>
  );
}

function TestFundsForm({ currency: first, onClose }: { currency: string; onClose: () => void }) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const [currency, setCurrency] = useState(first);
  const [text, setText] = useState("");
  // One for each form: pressed twice, the button adds the funds once.
  const [key] = useState(() => crypto.randomUUID());
  const amount = readMoney(text, currency);
  const isAmount = amount !== undefined && amount > 0;
  const add = useMutation({
    mutationFn: async () => {
      const funds = { amount, currency, key };
      await send<TestFundsAdded>("POST", apiOf("/balances/test-funds"), funds);
      await client.invalidateQueries({
        predicate: ({ queryKey: [of, kind] }) =>
          of === id && ["payouts", "balances", "funding"].includes(String(kind)),
      });
      notifications.show({
        message: `${moneyText(amount ?? 0, currency)} added`,
        color: "teal",
      });
      onClose();
    },
  });
  const problems = add.error instanceof ApiProblem ? add.error.byField() : {};
  return (
    <DialogForm
      act={add}
      label={balancesTexts.addTestFunds}
      isReady={isAmount && currency.length === 3}
      fields={["amount", "currency"]}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        Test money moves no real money. The balance is funded as if a deposit had arrived.
      </Text>
      <Group align="flex-start" gap="sm" grow>
        <AmountField
          label={balancesTexts.amount}
          currency={currency}
          required
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={text !== "" && !isAmount ? moneyHint(currency) : problems.amount}
        />
        <Autocomplete
          label="Currency"
          data={usualCurrencies}
          maxLength={3}
          required
          value={currency}
          onChange={(code) => setCurrency(code.toUpperCase())}
          error={problems.currency}
        />
      </Group>
    </DialogForm>
  );
}
