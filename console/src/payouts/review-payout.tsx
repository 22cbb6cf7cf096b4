// The second step of a new payout: what will be paid, whether it needs approval, and the button that pays.

import { Alert, Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { Limits } from "@server/operator/limits/schema.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { get, send } from "../api/call.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { moneyText } from "../money.ts";
import { Facts } from "../parts/facts.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";

type PayoutToMake = {
  receiver_id: string;
  account_id: string;
  amount: number;
  currency: string;
  reference: string;
  note: string;
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
  // Of this very payout: pressed twice, it makes one. What is changed gets another one.
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
      // In place of this step: Back must not lead to a payout that is made.
      await navigate({ to: pageOf("payouts", payout_id) as never, replace: true });
    },
  });
  const { amount, currency, reference, note } = payout;
  const isDuplicate = make.error instanceof ApiProblem && make.error.has("PAYO226");
  const threshold = useApprovalThreshold(currency);
  const needsApproval = typeof threshold === "number" && amount > threshold;
  const text = moneyText(amount, currency);
  return (
    <Panel title="Review payout">
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
        {needsApproval && (
          <Alert color="yellow" variant="light">
            This payout needs approval by a second person, because it is above{" "}
            {moneyText(threshold, currency)}. It is sent to the bank after that.
          </Alert>
        )}
        <Text size="sm" c="dimmed">
          The amount is held at once. You can cancel the payout until it is sent to the bank.
        </Text>
        <Problem error={make.error} />
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
            disabled={threshold === undefined}
            data-autofocus
          >
            {needsApproval ? `Request approval for ${text}` : `Pay ${text}`}
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}

/** Above it a second person has to approve. Null: never; undefined: not known yet. */
function useApprovalThreshold(currency: string): number | null | undefined {
  const { id } = useSubaccount();
  const path = useApiOf()("/limits");
  const { data, isError } = useQuery({
    queryKey: [id, "limits"],
    queryFn: ({ signal }) => get<Limits>(path, {}, signal),
  });
  if (!data) return isError ? null : undefined;
  return data.rows.find((row) => row.currency === currency)?.approval_above ?? null;
}
