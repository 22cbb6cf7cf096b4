// The actions for a payout, by its stage.

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { PayoutDetail } from "@server/doors/console/payouts/schema.ts";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useMay, useMe, usePageOf, useSubaccount } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { ExportButton } from "../parts/export-button.tsx";
import { ReasonDialog } from "../parts/reason-dialog.tsx";
import { SimulateOutcome } from "../parts/simulate-outcome.tsx";
import { moneyText } from "../state/money.ts";
import { payoutsTexts } from "../texts/payouts.ts";
import { PayoutsToApprove, toPayoutToApprove } from "./payouts-to-approve.tsx";
import { RequestRecall } from "./recall.tsx";
import { Resolve } from "./resolve.tsx";
import { useActOnPayout } from "./use-act-on-payout.ts";

export function PayoutActions({ payout }: { payout: PayoutDetail }) {
  const { id, is_closed } = useSubaccount();
  const actOn = useActOnPayout(payout);
  const { email } = useMe();
  const mayCreate = useMay("payouts.create");
  const mayApprove = useMay("payouts.approve");
  const mayResolve = useMay("payouts.resolve");
  const mayRecall = useMay("banks.release");
  const { stage, status, retried_as, created_by } = payout;
  const isWaiting = stage === "awaiting_approval";
  const isUnsent = isWaiting || stage === "queued" || stage === "on_hold";
  // A creator can't approve their own payout. The server checks it too.
  const isMine = created_by === `operator:${email}`;
  return (
    <>
      {isWaiting && mayApprove && !isMine && <Decide payout={payout} />}
      {mayCreate && isUnsent && <Cancel payout={payout} />}
      {mayResolve && payout.is_resolvable && <Resolve payout={payout} onResolve={actOn} />}
      {mayRecall && payout.is_recallable && <RequestRecall payout={payout} />}
      {mayCreate && !is_closed && status === "failed" && !retried_as && <Retry payout={payout} />}
      <SimulateOutcome of={{ id: payout.id, type: "payout" }} outcomes={outcomesOf(stage)} />
      {stage === "settled" && (
        <ExportButton path={`/s/${id}/payouts/${payout.id}/receipt.pdf`} label="Receipt (PDF)" />
      )}
    </>
  );
}

/** What a bank can report about a payout in this stage. */
function outcomesOf(stage: string) {
  if (stage === "queued" || stage === "submitted") {
    return [
      { status: "success", label: "Paid by the bank" },
      { status: "fail", label: "Rejected by the bank" },
    ];
  }
  return stage === "settled" ? [{ status: "return", label: "Returned by the bank" }] : [];
}

function Decide({ payout }: { payout: PayoutDetail }) {
  const { mode } = useSubaccount();
  const actOn = useActOnPayout(payout);
  const [isDeclining, setDeclining] = useState(false);
  const what = `${moneyText(payout.amount, payout.currency)} to ${payout.receiver.name}`;
  return (
    <>
      <Act
        label="Approve"
        variant="filled"
        confirm={{
          title: "Approve payout",
          text: (
            <>
              <PayoutsToApprove mode={mode} payouts={[toPayoutToApprove(payout)]} />
              The payout will be sent to the bank. This usually can't be reversed.
            </>
          ),
        }}
        onAct={() => actOn("approve")}
        done="Payout approved"
      />
      <Button variant="light" color="red" onClick={() => setDeclining(true)}>
        {payoutsTexts.decline}
      </Button>
      <ReasonDialog
        opened={isDeclining}
        draft={`decline-${payout.id}`}
        title="Decline payout"
        text={`${what} will not be paid. The amount becomes available again immediately.`}
        label={payoutsTexts.decline}
        danger
        onReason={({ note }) => actOn("decline", { reason: note })}
        onClose={() => setDeclining(false)}
      />
    </>
  );
}

function Cancel({ payout }: { payout: PayoutDetail }) {
  const actOn = useActOnPayout(payout);
  return (
    <Act
      label={payoutsTexts.cancelPayout}
      danger
      confirm={{
        title: payoutsTexts.cancelPayout,
        text: "The payout will not be sent. Its amount becomes available again immediately.",
        label: payoutsTexts.cancelPayout,
        keep: "Keep payout",
      }}
      onAct={() => actOn("cancel")}
      done="Payout cancelled"
    />
  );
}

function Retry({ payout }: { payout: PayoutDetail }) {
  const actOn = useActOnPayout(payout);
  const pageOf = usePageOf();
  const navigate = useNavigate();
  const { amount, currency, receiver, account } = payout;
  const retry = async () => {
    const { payout_id } = await actOn<{ payout_id: string }>("retry");
    notifications.show({ message: "Payout retried", color: "teal" });
    await navigate({ to: pageOf("payouts", payout_id) as never });
  };
  return (
    <Act
      label={payoutsTexts.retryPayout}
      confirm={{
        title: payoutsTexts.retryPayout,
        text: `Creates a new payout of ${moneyText(amount, currency)} to ${receiver.name}, ${account.tail}. Fix the problem first.`,
        label: payoutsTexts.retryPayout,
      }}
      onAct={retry}
    />
  );
}
