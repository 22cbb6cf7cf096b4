// What a person can do with a payout, where it stands.

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { PayoutDetail } from "@server/console/payouts/schema.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Printer } from "lucide-react";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useMay, useMe, usePageOf, useSubaccount } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { ReasonDialog } from "../parts/reason-dialog.tsx";
import { moneyText } from "../state/money.ts";
import { Resolve } from "./resolve.tsx";

export function PayoutActions({ payout }: { payout: PayoutDetail }) {
  const { is_closed } = useSubaccount();
  const actOn = useActOn(payout);
  const { email } = useMe();
  const mayCreate = useMay("payouts.create");
  const mayApprove = useMay("payouts.approve");
  const mayResolve = useMay("payouts.resolve");
  const { stage, status, retried_as, created_by } = payout;
  const isWaiting = stage === "awaiting_approval";
  // Whoever made it can't approve it: the server says so too.
  const isMine = created_by === `operator:${email}`;
  return (
    <>
      {isWaiting && mayApprove && !isMine && <Decide payout={payout} />}
      {mayCreate && (isWaiting || stage === "queued") && <Cancel payout={payout} />}
      {mayResolve && payout.is_resolvable && <Resolve payout={payout} onResolve={actOn} />}
      {mayCreate && !is_closed && status === "failed" && !retried_as && <Retry payout={payout} />}
      <Button
        variant="default"
        leftSection={<Printer size={15} aria-hidden />}
        onClick={() => window.print()}
      >
        Print receipt
      </Button>
    </>
  );
}

/** Does something to the payout, and shows what became of it. */
function useActOn({ id: payoutId }: PayoutDetail) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  return async <Answer,>(verb: string, body: object = {}): Promise<Answer> => {
    const answer = await send<Answer>("POST", apiOf(`/payouts/${payoutId}/${verb}`), body);
    await client.invalidateQueries({ queryKey: [id] });
    return answer;
  };
}

function Decide({ payout }: { payout: PayoutDetail }) {
  const actOn = useActOn(payout);
  const [isDeclining, setDeclining] = useState(false);
  const what = `${moneyText(payout.amount, payout.currency)} to ${payout.receiver.name}`;
  return (
    <>
      <Act
        label="Approve"
        variant="filled"
        confirm={{ title: "Approve the payout", text: `${what} will be sent to the bank.` }}
        onAct={() => actOn("approve")}
        done="Approved"
      />
      <Button variant="light" color="red" onClick={() => setDeclining(true)}>
        Decline
      </Button>
      <ReasonDialog
        opened={isDeclining}
        title="Decline the payout"
        text={`${what} will not be paid. Its money is back in the balance at once.`}
        label="Decline"
        danger
        onReason={({ note }) => actOn("decline", { reason: note })}
        onClose={() => setDeclining(false)}
      />
    </>
  );
}

function Cancel({ payout }: { payout: PayoutDetail }) {
  const actOn = useActOn(payout);
  return (
    <Act
      label="Cancel payout"
      danger
      confirm={{
        title: "Cancel payout",
        text: "The payout will not be sent. Its amount is available again at once.",
        label: "Cancel payout",
        keep: "Keep payout",
      }}
      onAct={() => actOn("cancel")}
      done="Cancelled"
    />
  );
}

function Retry({ payout }: { payout: PayoutDetail }) {
  const actOn = useActOn(payout);
  const pageOf = usePageOf();
  const navigate = useNavigate();
  const { amount, currency, receiver, account } = payout;
  const retry = async () => {
    const { payout_id } = await actOn<{ payout_id: string }>("retry");
    notifications.show({ message: "Made anew", color: "teal" });
    await navigate({ to: pageOf("payouts", payout_id) as never });
  };
  return (
    <Act
      label="Retry as new"
      confirm={{
        title: "Make it anew",
        text: `A new payout of ${moneyText(amount, currency)} to ${receiver.name}, ${account.tail}: what was wrong should be put right first.`,
        label: "Make it anew",
      }}
      onAct={retry}
    />
  );
}
