// Creates one payout in two steps: the form, then a review.

import { Alert, Box, Button, Group, Select, Stack, TextInput } from "@mantine/core";
import { useCanGoBack, useNavigate, useRouter } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { usePayee } from "../api/receivers.ts";
import { AmountField } from "../parts/amount-field.tsx";
import { Missing } from "../parts/missing.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Restored } from "../parts/restored.tsx";
import { Screen } from "../parts/screen.tsx";
import { useFilters } from "../state/filters.ts";
import { moneyHint, moneyText, readMoney } from "../state/money.ts";
import { payoutsTexts } from "../texts/payouts.ts";
import { AddAccount } from "./add-account.tsx";
import { type Balance, useBalances, useIsBankConnected } from "./balances.ts";
import { NoBank } from "./no-bank.tsx";
import { AccountPicker, ReceiverPicker } from "./payee-pickers.tsx";
import type { PayoutDraft } from "./payout-draft.ts";
import { ReviewPayout } from "./review-payout.tsx";
import { usePayoutDraft } from "./use-payout-draft.ts";

const youPay = (amount: string) => `You pay ${amount}`;

export function NewPayoutScreen() {
  const pageOf = usePageOf();
  const { is_closed } = useSubaccount();
  const mayCreate = useMay("payouts.create");
  const isBankConnected = useIsBankConnected();
  const form = isBankConnected ? (
    <Box maw={720}>
      <NewPayout />
    </Box>
  ) : (
    <NoBank />
  );
  return (
    <Screen above={<PageLink to={pageOf("payouts")}>{payoutsTexts.payouts}</PageLink>}>
      {is_closed || !mayCreate ? (
        <Alert color="gray">
          {is_closed ? payoutsTexts.closedCantPay : payoutsTexts.youMayNotPay}
        </Alert>
      ) : (
        form
      )}
    </Screen>
  );
}

function NewPayout() {
  const draft = usePayoutDraft();
  const { fields } = draft;
  const [{ step, receiver }] = useFilters();
  const navigate = useNavigate();
  useChosenReceiver(draft, receiver);
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const payee = usePayee(fields.receiverId);
  const balances = useBalances();
  const payable = payee?.accounts.filter(({ blocked_by }) => blocked_by === null) ?? [];
  // A single payable account is chosen automatically.
  const account =
    payable.find(({ id }) => id === fields.accountId) ??
    (payable.length === 1 && fields.accountId === null ? payable[0] : undefined);
  // The currency of the account's country. Where the country has none, the user has to choose.
  const currency = fields.currency ?? account?.currency ?? null;
  const amount = currency === null ? undefined : readMoney(fields.amount, currency);
  const problems = problemsOf(fields, { currency, balances });
  const isReady =
    payee &&
    account &&
    currency !== null &&
    amount !== undefined &&
    Object.values(problems).every((problem) => problem === undefined);
  const missing = !payee
    ? "Choose a receiver."
    : !account
      ? payable.length === 0
        ? "The receiver has no bank account that can be paid."
        : "Choose a bank account."
      : currency === null
        ? "Choose a currency."
        : fields.amount.trim() === ""
          ? "Enter an amount."
          : "Correct the fields above.";

  if (step === "review" && isReady) {
    const { reference, note, sendOn, statementReference, purpose } = fields;
    return (
      <ReviewPayout
        payout={{
          receiver_id: payee.id,
          account_id: account.id,
          amount,
          currency,
          reference,
          note,
          ...(sendOn && { send_on: sendOn }),
          ...(statementReference.trim() && { statement_reference: statementReference.trim() }),
          ...(purpose.trim() && { purpose: purpose.trim().toUpperCase() }),
        }}
        shown={{
          name: account.business || payee.name,
          account: `${account.bank_name} ${account.tail}`.trim(),
        }}
        onBack={() => (canGoBack ? router.history.back() : void navigate({ to: "." }))}
        onMade={draft.forget}
      />
    );
  }
  return (
    <Panel>
      <PayoutForm
        draft={draft}
        payee={payee}
        accountId={account?.id ?? null}
        currency={currency}
        balances={balances}
        problems={problems}
        missing={isReady ? undefined : missing}
        // A step of the browser's history: Back comes to this form again, with everything typed.
        onContinue={() => void navigate({ to: ".", search: { step: "review" } as never })}
      />
    </Panel>
  );
}

/** A link such as Pay on a receiver's page begins a new payout to that receiver. */
function useChosenReceiver(
  { fields, clear, change }: ReturnType<typeof usePayoutDraft>,
  receiverId: string | undefined,
): void {
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each link
  useEffect(() => {
    if (!receiverId) return;
    if (fields.receiverId !== receiverId) {
      clear();
      change({ receiverId });
    }
    void navigate({ to: ".", search: {} as never, replace: true });
  }, [receiverId]);
}

type Problems = Record<
  "amount" | "reference" | "note" | "statementReference" | "purpose",
  string | undefined
>;

function PayoutForm({
  draft,
  payee,
  accountId,
  currency,
  balances,
  problems,
  missing,
  onContinue,
}: {
  draft: ReturnType<typeof usePayoutDraft>;
  payee: ReturnType<typeof usePayee>;
  accountId: string | null;
  currency: string | null;
  balances: readonly Balance[];
  problems: Problems;
  /** Why the user can't continue. Undefined: they can. */
  missing: string | undefined;
  onContinue: () => void;
}) {
  const pageOf = usePageOf();
  const mayAddReceivers = useMay("receivers.write");
  const { fields, change } = draft;
  // The amount is checked when the user leaves the field.
  const [isTyping, setTyping] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTyping(false);
    if (missing === undefined) onContinue();
  };
  const codes = balances.map((balance) => balance.currency);
  const currencies = new Set(currency === null ? codes : [...codes, currency]);
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Restored draft={draft} text="Your unfinished payout was restored." />
        <ReceiverPicker
          value={fields.receiverId}
          known={payee && { value: payee.id, label: payee.name }}
          onChange={(receiverId) =>
            change({
              receiverId,
              accountId: null,
              currency: null,
              reference: "",
              note: "",
              statementReference: "",
              purpose: "",
            })
          }
        />
        {!fields.receiverId && mayAddReceivers && (
          <PageLink to={pageOf("receivers", "new")} fz="sm">
            New receiver
          </PageLink>
        )}
        {payee?.blocked_by && (
          <Alert color="yellow">{`${payee.blocked_by}. This receiver can't be paid yet.`}</Alert>
        )}
        <AccountPicker
          payee={payee}
          value={accountId}
          onChange={(accountId) => change({ accountId, currency: null })}
        />
        {payee && <AddAccount payee={payee} />}
        <Group align="flex-start" gap="sm" wrap="nowrap">
          <AmountField
            label={payoutsTexts.amount}
            required
            flex={1}
            // Below, so that both inputs are on one line, whatever the length of the text.
            inputWrapperOrder={["label", "input", "description", "error"]}
            currency={currency}
            readAs={youPay}
            description={
              currency === null
                ? "Choose a currency to see the available balance"
                : balanceText(balances, currency)
            }
            value={fields.amount}
            error={!isTyping && problems.amount}
            onFocus={() => setTyping(true)}
            onBlur={() => setTyping(false)}
            onChange={(event) => change({ amount: event.currentTarget.value })}
          />
          <Select
            label={payoutsTexts.currency}
            required
            w={120}
            placeholder="Choose"
            data={[...currencies].sort()}
            value={currency}
            onChange={(chosen) => change({ currency: chosen })}
            allowDeselect={false}
          />
        </Group>
        <TextInput
          label={payoutsTexts.reference}
          description="Your reference. May appear on the receiver's bank statement."
          value={fields.reference}
          error={problems.reference}
          onChange={(event) => change({ reference: event.currentTarget.value })}
        />
        <TextInput
          label={payoutsTexts.note}
          description="Internal: only shown in this console"
          value={fields.note}
          error={problems.note}
          onChange={(event) => change({ note: event.currentTarget.value })}
        />
        <TextInput
          label={payoutsTexts.statementReference}
          description="What the receiver sees on the bank statement, cut to the length that the bank takes. Empty: the reference."
          value={fields.statementReference}
          error={problems.statementReference}
          onChange={(event) => change({ statementReference: event.currentTarget.value })}
        />
        <TextInput
          label="Purpose code"
          description="ISO 20022 code of 4 characters, for banks that take one"
          placeholder="SALA"
          value={fields.purpose}
          error={problems.purpose}
          onChange={(event) => change({ purpose: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={payoutsTexts.sendOn}
          description="Not sent before this day, or the banking day after it. The amount is held now. Empty: with the next file."
          value={fields.sendOn}
          onChange={(event) => change({ sendOn: event.currentTarget.value })}
        />
        <Group justify="flex-end">
          <Missing text={missing} />
          <Button type="submit" disabled={missing !== undefined}>
            Continue
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function problemsOf(
  { amount, reference, note, statementReference, purpose }: PayoutDraft,
  { currency, balances }: { currency: string | null; balances: readonly Balance[] },
): Problems {
  return {
    amount: currency === null ? undefined : amountProblem(amount, currency, balances),
    reference: lengthProblem(reference, 200),
    note: lengthProblem(note, 500),
    statementReference: lengthProblem(statementReference, 140),
    purpose: /^([A-Z0-9]{4})?$/i.test(purpose.trim())
      ? undefined
      : "4 letters or digits, such as SALA",
  };
}

function amountProblem(
  text: string,
  currency: string,
  balances: readonly Balance[],
): string | undefined {
  if (text.trim() === "") return undefined;
  const amount = readMoney(text, currency);
  if (amount === undefined) return moneyHint(currency);
  if (amount === 0) return "Enter an amount above zero";
  return amount > availableIn(balances, currency)
    ? "More than the available balance. Enter a lower amount."
    : undefined;
}

/** The available balance, and what is held or in transit where there is any. */
function balanceText(balances: readonly Balance[], currency: string): string {
  const balance = balances.find((one) => one.currency === currency);
  const { available = 0, held = 0, in_transit = 0 } = balance ?? {};
  return [
    `Available: ${moneyText(available, currency)}`,
    held > 0 && `held: ${moneyText(held, currency)}`,
    in_transit > 0 && `in transit: ${moneyText(in_transit, currency)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function availableIn(balances: readonly Balance[], currency: string): number {
  return balances.find((balance) => balance.currency === currency)?.available ?? 0;
}

function lengthProblem(text: string, max: number): string | undefined {
  const length = text.trim().length;
  return length > max ? `At most ${max} characters. This has ${length}.` : undefined;
}
