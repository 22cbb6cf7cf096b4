// Resolves a sent payout manually: one user proposes an outcome, a second one confirms it.

import { Button, Select, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { PayoutDetail } from "@server/doors/console/payouts/schema.ts";
import type { ResolutionAnswer } from "@server/money/payouts/schema.ts";
import { useState } from "react";
import { useApprover } from "../api/approver.ts";
import { useMe } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { ReasonDialog } from "../parts/reason-dialog.tsx";
import { moneyText } from "../state/money.ts";
import { optionsOf } from "../state/options.ts";
import { payoutsTexts } from "../texts/payouts.ts";

type Outcome = "paid" | "rejected";

const meanings: Record<Outcome, string> = {
  paid: "Paid: the bank has paid it",
  rejected: "Rejected: the bank will not pay it, and the money goes back to the balance",
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
  const approver = useApprover("payouts.resolve");
  const shown = moneyText(payout.amount, payout.currency);
  const chosen = outcome ?? proposed?.outcome ?? null;
  const isOwn =
    !approver.mayAlone &&
    proposed?.proposed_by === `operator:${email}` &&
    proposed.outcome === chosen;
  const resolve = async (reason: string) => {
    if (chosen === null) throw new ApiProblem(400, "Choose an outcome.", []);
    if (typed.trim() !== shown) throw new ApiProblem(400, `Type ${shown} to confirm.`, []);
    const body = { outcome: chosen, reason, amount: payout.amount };
    const { state } = await onResolve<ResolutionAnswer>("resolve", body);
    const message =
      state === "resolved"
        ? "Payout resolved"
        : "Outcome proposed. A second user has to confirm it.";
    notifications.show({ message, color: "teal" });
  };
  return (
    <>
      <Button variant="light" color="red" onClick={() => setOpen(true)}>
        Resolve
      </Button>
      <ReasonDialog
        opened={isOpen}
        draft={`resolve-${payout.id}`}
        title="Resolve payout manually"
        text="Ask the bank first. If you resolve a payout as rejected that the bank has paid, a retry pays it twice."
        noteLabel="Evidence"
        label={approver.mayAlone ? "Resolve" : proposed && !isOwn ? "Confirm" : "Propose"}
        danger
        onReason={({ note }) => resolve(note)}
        onClose={() => setOpen(false)}
      >
        {proposed && <Text size="sm">{`Proposed: ${proposed.outcome}. “${proposed.reason}”`}</Text>}
        <Select
          label={payoutsTexts.outcome}
          data={optionsOf(meanings)}
          value={chosen}
          onChange={(value) => setOutcome(value as Outcome | null)}
          required
        />
        <TextInput
          label={`Type “${shown}” to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
        />
        {isOwn && <Text size="sm">You proposed this. A second user has to confirm it.</Text>}
      </ReasonDialog>
    </>
  );
}
