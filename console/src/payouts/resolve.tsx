// Resolves a sent payout manually: one user proposes an outcome, a second one confirms it.

import { Button, Select, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { PayoutDetail, ResolutionAnswer } from "@server/console/payouts/schema.ts";
import { useState } from "react";
import { useMe } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { ReasonDialog } from "../parts/reason-dialog.tsx";
import { moneyText } from "../state/money.ts";
import { optionsOf } from "../state/options.ts";
import { payoutsTexts } from "../texts/payouts.ts";

type Outcome = "paid" | "rejected";

const meanings: Record<Outcome, string> = {
  paid: payoutsTexts.paidTheBankHasPaidIt,
  rejected: payoutsTexts.rejectedTheBankWillNotPay,
};

export function Resolve({
  payout,
  onResolve,
}: {
  payout: PayoutDetail;
  onResolve: <Answer>(verb: string, body: object) => Promise<Answer>;
}) {
  const { email } = useMe();
  const [isOpen, setOpen] = useState(false);
  const proposed = payout.resolution;
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [typed, setTyped] = useState("");
  const shown = moneyText(payout.amount, payout.currency);
  const chosen = outcome ?? proposed?.outcome ?? null;
  const isOwn = proposed?.proposed_by === `operator:${email}` && proposed.outcome === chosen;
  const resolve = async (reason: string) => {
    if (chosen === null) throw new ApiProblem(400, payoutsTexts.chooseAnOutcome, []);
    if (typed.trim() !== shown) throw new ApiProblem(400, payoutsTexts.typeToConfirm(shown), []);
    const body = { outcome: chosen, reason, amount: payout.amount };
    const { state } = await onResolve<ResolutionAnswer>("resolve", body);
    const message =
      state === "resolved"
        ? payoutsTexts.payoutResolved
        : payoutsTexts.outcomeProposedASecondUserHas;
    notifications.show({ message, color: "teal" });
  };
  return (
    <>
      <Button variant="light" color="red" onClick={() => setOpen(true)}>
        {payoutsTexts.resolve}
      </Button>
      <ReasonDialog
        opened={isOpen}
        draft={`resolve-${payout.id}`}
        title={payoutsTexts.resolvePayoutManually}
        text={payoutsTexts.askTheBankFirstIfYou}
        noteLabel={payoutsTexts.evidence}
        label={proposed && !isOwn ? payoutsTexts.confirm : payoutsTexts.propose}
        danger
        onReason={({ note }) => resolve(note)}
        onClose={() => setOpen(false)}
      >
        {proposed && (
          <Text size="sm">{payoutsTexts.proposed(proposed.outcome, proposed.reason)}</Text>
        )}
        <Select
          label={payoutsTexts.outcome}
          data={optionsOf(meanings)}
          value={chosen}
          onChange={(value) => setOutcome(value as Outcome | null)}
          required
        />
        <TextInput
          label={payoutsTexts.typeToConfirmWithShown(shown)}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
        />
        {isOwn && <Text size="sm">{payoutsTexts.youProposedThisASecondUser}</Text>}
      </ReasonDialog>
    </>
  );
}
