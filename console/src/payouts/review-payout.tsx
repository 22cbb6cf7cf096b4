// The second step of a new payout: what will be paid, whether it needs approval, and the button that pays.

import { Alert, Button, Checkbox, Group, List, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { PayoutPreview } from "@server/doors/console/payouts/schema.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useApprover } from "../api/approver.ts";
import { send } from "../api/call.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { Facts } from "../parts/facts.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { moneyText } from "../state/money.ts";
import { calendarDayText } from "../state/time.ts";
import { payoutsTexts } from "../texts/payouts.ts";
import { reasonText } from "./approval-reason.ts";

type PayoutToMake = {
  receiver_id: string;
  account_id: string;
  amount: number;
  currency: string;
  reference: string;
  note: string;
  send_on?: string;
  statement_reference?: string;
};

export function ReviewPayout({
  payout,
  shown,
  onBack,
  onMade,
}: {
  payout: PayoutToMake;
  shown: { name: string; account: string };
  onBack: () => void;
  onMade: () => void;
}) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [isMeantTwice, setMeantTwice] = useState(false);
  // Idempotency keys: pressing the button twice creates one payout.
  const [onces] = useState(() => ({ once: crypto.randomUUID(), twice: crypto.randomUUID() }));
  const make = useMutation({
    mutationFn: () =>
      send<{ payout_id: string }>("POST", apiOf("/payouts"), {
        ...payout,
        ...(isMeantTwice ? { allow_duplicate: true, once: onces.twice } : { once: onces.once }),
      }),
    onSuccess: async ({ payout_id }) => {
      onMade();
      void client.invalidateQueries({ queryKey: [id] });
      notifications.show({ id: payout_id, message: "Payout created", color: "teal" });
      // Replaces this step: Back must not lead to a payout that exists.
      await navigate({ to: pageOf("payouts", payout_id) as never, replace: true });
    },
  });
  const { amount, currency, reference, note, send_on = "", statement_reference = "" } = payout;
  const isDuplicate = make.error instanceof ApiProblem && make.error.has("PAYO226");
  const preview = usePreview(payout);
  const reasons = preview.data?.approval ?? [];
  const needsApproval = preview.data?.needs_approval === true;
  const { process_date: processDate = "", expected_arrival: expectedArrival = "" } =
    preview.data ?? {};
  const approver = useApprover("payouts.approve");
  const text = moneyText(amount, currency);
  return (
    <Panel title="Review payout">
      <Stack gap="md">
        <Facts
          items={[
            { label: payoutsTexts.amount, value: <strong>{text}</strong> },
            ...feeFacts(preview.data, currency),
            { label: payoutsTexts.to, value: shown.name },
            { label: payoutsTexts.bankAccount, value: shown.account },
            { label: payoutsTexts.reference, value: reference },
            statement_reference !== "" && {
              label: payoutsTexts.statementReference,
              value: statement_reference,
            },
            send_on !== "" && { label: payoutsTexts.sendOn, value: calendarDayText(send_on) },
            processDate !== "" && {
              label: payoutsTexts.processDate,
              value: calendarDayText(processDate),
            },
            expectedArrival !== "" && {
              label: payoutsTexts.expectedArrival,
              value: calendarDayText(expectedArrival),
            },
            note !== "" && { label: payoutsTexts.note, value: note },
            preview.data && {
              label: "Balance after",
              value: moneyText(preview.data.balance_after, currency),
            },
            preview.data && { label: "Account", value: <AccountPast of={preview.data.account} /> },
          ]}
        />
        <Similar payouts={preview.data?.similar ?? []} />
        {needsApproval && (
          <Alert color="yellow" variant="light">
            {reasons.length === 0
              ? "This payout needs the approvals that a rule asks for. It is sent to the bank after that."
              : `This payout needs approval by ${approver.within}, because ${reasons
                  .map((reason) => reasonText(reason, currency, "today"))
                  .join(" and ")}. It is sent to the bank after that.`}
          </Alert>
        )}
        {preview.data?.needs_review && (
          <Alert color="yellow" variant="light">
            This payout will be on hold for a review. It is sent to the bank after a user releases
            it.
          </Alert>
        )}
        <Text size="sm" c="dimmed">
          The amount is held immediately. You can cancel the payout until it is sent to the bank.
        </Text>
        <Problem error={make.error ?? preview.error} />
        {(isDuplicate || isMeantTwice) && (
          <Checkbox
            label="Yes, this is intentional. Pay again."
            checked={isMeantTwice}
            onChange={(event) => setMeantTwice(event.currentTarget.checked)}
          />
        )}
        <Group justify="space-between">
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
          <Button
            onClick={() => make.mutate()}
            loading={make.isPending}
            disabled={preview.isPending}
            data-autofocus
          >
            {needsApproval ? `Request approval for ${text}` : `Pay ${text}`}
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}

/** What tells a changed or new account from one that was paid before. */
function AccountPast({ of }: { of: PayoutPreview["account"] }) {
  return (
    <>
      {"Added "}
      <When ms={of.added_at} isDate /> {`by ${of.added_by}`}
      {of.changed_at !== null && (
        <>
          {", changed "}
          <When ms={of.changed_at} isDate /> {`by ${of.changed_by}`}
        </>
      )}
      {of.last_paid_at === null ? (
        ", never paid"
      ) : (
        <>
          {", last paid "}
          <When ms={of.last_paid_at} isDate />
        </>
      )}
    </>
  );
}

const similarBy = {
  amount: "the same amount to this receiver",
  reference: "the same reference",
  near_reference: "nearly the same reference",
} as const;

function Similar({ payouts }: { payouts: PayoutPreview["similar"] }) {
  const pageOf = usePageOf();
  if (payouts.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" title="Similar payouts of the last 30 days">
      <List size="sm">
        {payouts.map(
          ({ id, why, amount, currency, reference, stage, receiver_name, created_at }) => (
            <List.Item key={id}>
              <PageLink to={pageOf("payouts", id)} underline="always">
                {`${moneyText(amount, currency)} to ${receiver_name}`}
              </PageLink>{" "}
              {`${reference}, `}
              <When ms={created_at} isDate />
              {`: ${similarBy[why as keyof typeof similarBy]} `}
              <Status of="payout" value={stage} />
            </List.Item>
          ),
        )}
      </List>
    </Alert>
  );
}

/** What it costs, where it costs something. */
function feeFacts(preview: PayoutPreview | undefined, currency: string) {
  if (!preview || preview.fee === 0) return [];
  const { fee, sent_amount } = preview;
  return [
    { label: payoutsTexts.fee, value: moneyText(fee, currency) },
    { label: payoutsTexts.sentAmount, value: moneyText(sent_amount, currency) },
    { label: "Taken from the balance", value: moneyText(sent_amount + fee, currency) },
  ];
}

/** What the server would decide now. Loaded once for each review. */
function usePreview(payout: PayoutToMake) {
  const { id } = useSubaccount();
  const path = useApiOf()("/payouts/preview");
  return useQuery({
    queryKey: ["payout-preview", id, payout],
    gcTime: 0,
    queryFn: () => send<PayoutPreview>("POST", path, payout),
  });
}
