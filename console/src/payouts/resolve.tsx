// Ends a sent payout by hand: the first user proposes an outcome, a second one confirms it.

import { Button, Select, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { PayoutDetail, ResolutionAnswer } from "@server/console/payouts/schema.ts";
import { useState } from "react";
import { useMe } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { ReasonDialog } from "../parts/reason-dialog.tsx";
import { moneyText } from "../state/money.ts";

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
  const shown = moneyText(payout.amount, payout.currency);
  const chosen = outcome ?? proposed?.outcome ?? null;
  const isOwn = proposed?.proposed_by === `operator:${email}` && proposed.outcome === chosen;
  const resolve = async (reason: string) => {
    if (chosen === null) throw new ApiProblem(400, "Choose what became of it.", []);
    if (typed.trim() !== shown) throw new ApiProblem(400, `Type ${shown} to go on.`, []);
    const body = { outcome: chosen, reason, amount: payout.amount };
    const { state } = await onResolve<ResolutionAnswer>("resolve", body);
    const message =
      state === "resolved" ? "Resolved" : "Proposed. A second user has to confirm it.";
    notifications.show({ message, color: "teal" });
  };
  return (
    <>
      <Button variant="light" color="red" onClick={() => setOpen(true)}>
        Resolve
      </Button>
      <ReasonDialog
        opened={isOpen}
        title="Resolve the payout by hand"
        text="Ask the bank first. A payout that is resolved as rejected and paid by the bank after all is paid twice when it is made again."
        noteLabel="How do you know?"
        label={proposed && !isOwn ? "Confirm" : "Propose"}
        danger
        onReason={({ note }) => resolve(note)}
        onClose={() => setOpen(false)}
      >
        {proposed && (
          <Text size="sm">
            Proposed: {proposed.outcome}. “{proposed.reason}”
          </Text>
        )}
        <Select
          label="What became of it"
          data={Object.entries(meanings).map(([value, label]) => ({ value, label }))}
          value={chosen}
          onChange={(value) => setOutcome(value as Outcome | null)}
          required
        />
        <TextInput
          label={`Type “${shown}” to go on`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
        />
        {isOwn && <Text size="sm">You proposed this. A second user has to confirm it.</Text>}
      </ReasonDialog>
    </>
  );
}
