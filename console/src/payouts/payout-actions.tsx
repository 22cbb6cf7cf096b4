// The actions for a payout, by its stage.

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { PayoutDetail } from "@server/console/payouts/schema.ts";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useMay, useMe, usePageOf, useSubaccount } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { Printer } from "../parts/icons.tsx";
import { ReasonDialog } from "../parts/reason-dialog.tsx";
import { SimulateOutcome } from "../parts/simulate-outcome.tsx";
import { moneyText } from "../state/money.ts";
import { payoutsTexts } from "../texts/payouts.ts";
import { PayoutsToApprove, toPayoutToApprove } from "./payouts-to-approve.tsx";
import { RequestRecall } from "./recall.tsx";
import { Resolve } from "./resolve.tsx";
import { useActOnPayout } from "./use-act-on-payout.ts";

export function PayoutActions({ payout }: { payout: PayoutDetail }) {
  const { is_closed } = useSubaccount();
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
      <Button
        variant="default"
        leftSection={<Printer size={15} aria-hidden />}
        onClick={() => window.print()}
      >
        {payoutsTexts.printReceipt}
      </Button>
    </>
  );
}

/** What a bank can report about a payout in this stage. */
function outcomesOf(stage: string) {
  if (stage === "queued" || stage === "submitted") {
    return [
      { status: "success", label: payoutsTexts.paidByTheBank },
      { status: "fail", label: payoutsTexts.rejectedByTheBank },
    ];
  }
  return stage === "settled" ? [{ status: "return", label: payoutsTexts.returnedByTheBank }] : [];
}

function Decide({ payout }: { payout: PayoutDetail }) {
  const { mode } = useSubaccount();
  const actOn = useActOnPayout(payout);
  const [isDeclining, setDeclining] = useState(false);
  const what = payoutsTexts.amountTo(
    moneyText(payout.amount, payout.currency),
    payout.receiver.name,
  );
  return (
    <>
      <Act
        label={payoutsTexts.approve}
        variant="filled"
        confirm={{
          title: payoutsTexts.approvePayout,
          text: (
            <>
              <PayoutsToApprove mode={mode} payouts={[toPayoutToApprove(payout)]} />
              {payoutsTexts.willBeSentToTheBank}
            </>
          ),
        }}
        onAct={() => actOn("approve")}
        done={payoutsTexts.payoutApproved}
      />
      <Button variant="light" color="red" onClick={() => setDeclining(true)}>
        {payoutsTexts.decline}
      </Button>
      <ReasonDialog
        opened={isDeclining}
        draft={`decline-${payout.id}`}
        title={payoutsTexts.declinePayout}
        text={payoutsTexts.willNotBePaidTheAmount(what)}
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
        text: payoutsTexts.thePayoutWillNotBeSent,
        label: payoutsTexts.cancelPayout,
        keep: payoutsTexts.keepPayout,
      }}
      onAct={() => actOn("cancel")}
      done={payoutsTexts.payoutCancelled}
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
    notifications.show({ message: payoutsTexts.payoutRetried, color: "teal" });
    await navigate({ to: pageOf("payouts", payout_id) as never });
  };
  return (
    <Act
      label={payoutsTexts.retryPayout}
      confirm={{
        title: payoutsTexts.retryPayout,
        text: payoutsTexts.createsANewPayoutOfTo(
          moneyText(amount, currency),
          receiver.name,
          account.tail,
        ),
        label: payoutsTexts.retryPayout,
      }}
      onAct={retry}
    />
  );
}
