// Makes one payout: who, where, how much, and once more to agree to it.

import {
  Alert,
  Anchor,
  Button,
  Checkbox,
  Group,
  Select,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { decimalsOf, moneyText, readMoney } from "../money.ts";
import { Facts } from "../parts/facts.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { type Balance, useBalances, useIsBankConnected } from "./balances.ts";
import { NoBank } from "./no-bank.tsx";
import { AccountPicker, ReceiverPicker, usePayee } from "./payee-pickers.tsx";

type Fields = {
  receiverId: string | null;
  accountId: string | null;
  amount: string;
  currency: string | null;
  reference: string;
  note: string;
};
const blank: Fields = {
  ...{ receiverId: null, accountId: null, currency: null },
  ...{ amount: "", reference: "", note: "" },
};

export function NewPayoutScreen() {
  const pageOf = usePageOf();
  const { is_closed } = useSubaccount();
  const mayCreate = useMay("payouts.create");
  const isBankConnected = useIsBankConnected();
  const form = isBankConnected ? <NewPayout /> : <NoBank />;
  return (
    <Screen title="New payout" above={<PageLink to={pageOf("payouts")}>Payouts</PageLink>}>
      {is_closed || !mayCreate ? (
        <Alert color="gray">
          {is_closed
            ? "The subaccount is closed: it pays nobody."
            : "Your role may not make payouts."}
        </Alert>
      ) : (
        form
      )}
    </Screen>
  );
}

function NewPayout() {
  const [fields, setFields] = useState(blank);
  const [isAgreeing, setAgreeing] = useState(false);
  const payee = usePayee(fields.receiverId);
  const balances = useBalances();
  const payable = payee?.accounts.filter(({ hindrance }) => hindrance === null) ?? [];
  // Where there is only one, it is that one.
  const account =
    payable.find(({ id }) => id === fields.accountId) ??
    (payable.length === 1 && fields.accountId === null ? payable[0] : undefined);
  // What the account is paid in, unless the person says otherwise.
  const currency = fields.currency ?? account?.currency ?? balances[0]?.currency ?? "AUD";
  const amount = readMoney(fields.amount, currency);
  const balance = balances.find((one) => one.currency === currency);
  const available = balance?.available ?? 0;
  const isReady = payee && account && amount !== undefined && amount > 0;
  const set = (changes: Partial<Fields>) => setFields({ ...fields, ...changes });

  if (isAgreeing && isReady) {
    const { reference, note } = fields;
    return (
      <Agreement
        payout={{
          ...{ receiver_id: payee.id, account_id: account.id, amount, currency },
          ...{ reference, note },
        }}
        shown={{ name: payee.name, account: `${account.bank_name} ${account.tail}`.trim() }}
        onBack={() => setAgreeing(false)}
      />
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) setAgreeing(true);
  };
  const currencies = new Set([...balances.map((balance) => balance.currency), currency]);
  return (
    <Panel>
      <form onSubmit={submit}>
        <Stack gap="md" maw={520}>
          <ReceiverPicker
            value={fields.receiverId}
            onChange={(receiverId) => setFields({ ...blank, receiverId, amount: fields.amount })}
          />
          {payee?.hindrance && (
            <Alert color="yellow">{payee.hindrance}: a payout would be refused.</Alert>
          )}
          <AccountPicker
            payee={payee}
            value={account?.id ?? null}
            onChange={(accountId) => set({ accountId, currency: null })}
          />
          <Group align="flex-start" gap="sm" wrap="nowrap">
            <TextInput
              label="Amount"
              required
              flex={1}
              inputMode="decimal"
              placeholder={decimalsOf(currency) > 0 ? "12.50" : "1250"}
              description={balanceText(balance, currency)}
              value={fields.amount}
              error={amountError(fields.amount, amount, { currency, available })}
              onChange={(event) => set({ amount: event.currentTarget.value })}
            />
            <Select
              label="Currency"
              description={"\u00a0"}
              w={110}
              data={[...currencies].sort()}
              value={currency}
              onChange={(chosen) => set({ currency: chosen })}
              allowDeselect={false}
            />
          </Group>
          <TextInput
            label="Reference"
            description="Yours; the receiver's bank may show it"
            maxLength={200}
            value={fields.reference}
            onChange={(event) => set({ reference: event.currentTarget.value })}
          />
          <TextInput
            label="Note"
            description="For whoever looks at the payout here"
            maxLength={500}
            value={fields.note}
            onChange={(event) => set({ note: event.currentTarget.value })}
          />
          <Group justify="flex-end">
            <Button type="submit" disabled={!isReady}>
              Continue
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

/** What can be paid out; what is not, and yet not gone, only where there is any. */
function balanceText(balance: Balance | undefined, currency: string): string {
  const { available = 0, held = 0, in_transit = 0 } = balance ?? {};
  return [
    `Available: ${moneyText(available, currency)}`,
    held > 0 && `held: ${moneyText(held, currency)}`,
    in_transit > 0 && `in transit: ${moneyText(in_transit, currency)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function amountError(
  text: string,
  amount: number | undefined,
  { currency, available }: { currency: string; available: number },
): string | undefined {
  if (text.trim() === "") return undefined;
  if (amount === undefined || amount === 0) {
    const places = decimalsOf(currency);
    return places === 0 ? "Whole units only" : `An amount with at most ${places} decimals`;
  }
  return amount > available ? "More than is available" : undefined;
}

type PayoutToMake = {
  receiver_id: string;
  account_id: string;
  amount: number;
  currency: string;
  reference: string;
  note: string;
};

function Agreement({
  payout,
  shown,
  onBack,
}: {
  payout: PayoutToMake;
  shown: { name: string; account: string };
  onBack: () => void;
}) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [isMeantTwice, setMeantTwice] = useState(false);
  // Of this very payout: pressed twice, it makes one. What is changed gets another one.
  const [onces] = useState(() => ({ once: crypto.randomUUID(), twice: crypto.randomUUID() }));
  const make = useMutation({
    mutationFn: () =>
      send<{ payout_id: string }>("POST", apiOf("/payouts"), {
        ...payout,
        ...(isMeantTwice ? { allow_duplicate: true, once: onces.twice } : { once: onces.once }),
      }),
    onSuccess: async ({ payout_id }) => {
      void client.invalidateQueries({ queryKey: [id] });
      notifications.show({ id: payout_id, message: "The payout is made", color: "teal" });
      await navigate({ to: pageOf("payouts", payout_id) as never });
    },
  });
  const { amount, currency, reference, note } = payout;
  const isTwin = make.error instanceof ApiProblem && make.error.has("PAYO226");
  const text = moneyText(amount, currency);
  return (
    <Panel title="Is this right?">
      <Stack gap="md" maw={520}>
        <Facts
          items={[
            { label: "Amount", value: <strong>{text}</strong> },
            { label: "To", value: shown.name },
            { label: "Account", value: shown.account },
            { label: "Reference", value: reference },
            note !== "" && { label: "Note", value: note },
          ]}
        />
        <Text size="sm" c="dimmed">
          The amount is held at once. Until it is sent to the bank, the payout can be cancelled.
        </Text>
        <Problem error={make.error} />
        {(isTwin || isMeantTwice) && (
          <Checkbox
            label="It is meant: pay it once more"
            checked={isMeantTwice}
            onChange={(event) => setMeantTwice(event.currentTarget.checked)}
          />
        )}
        <Group justify="space-between">
          <Anchor component="button" type="button" size="sm" onClick={onBack}>
            Change it
          </Anchor>
          <Button onClick={() => make.mutate()} loading={make.isPending} data-autofocus>
            Pay {text}
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}
