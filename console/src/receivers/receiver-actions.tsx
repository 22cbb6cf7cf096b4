// The actions for a receiver: pay, edit, disable, re-enable, and those about the data of the person.

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { Pencil, Send } from "../parts/icons.tsx";
import { LinkButton } from "../parts/link-button.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { ReasonDialog } from "../parts/reason-dialog.tsx";
import { unsentStages } from "../payouts/filters.ts";
import { EditDialog } from "./edit-dialog.tsx";
import { PersonActions } from "./person-actions.tsx";
import { type ReceiverDetail, useRenewReceivers } from "./receiver.ts";

export function ReceiverActions({ receiver }: { receiver: ReceiverDetail }) {
  const mayWrite = useMay("receivers.write");
  const { is_closed } = useSubaccount();
  const apiOf = useApiOf();
  const renew = useRenewReceivers();
  const [open, setOpen] = useState<"edit" | "disable">();
  const { status, kyc_status, json, erased_at } = receiver;
  const mayPay = useMay("payouts.create");
  const pageOf = usePageOf();
  if (!mayWrite || is_closed || erased_at !== null) return <PersonActions receiver={receiver} />;
  const path = apiOf(`/receivers/${json.id}`);
  const close = () => setOpen(undefined);
  return (
    <>
      {mayPay && status === "active" && (
        <LinkButton to={`${pageOf("payouts", "new")}?receiver=${json.id}`} icon={Send} isPrimary>
          Pay
        </LinkButton>
      )}
      <Button
        variant="default"
        leftSection={<Pencil size={14} aria-hidden />}
        onClick={() => setOpen("edit")}
      >
        Edit
      </Button>
      {status === "active" && (
        <Button variant="default" c="var(--mantine-color-error)" onClick={() => setOpen("disable")}>
          Disable…
        </Button>
      )}
      {status === "inactive" && kyc_status === "completed" && (
        <Act
          label="Re-enable"
          confirm={{
            title: `Re-enable ${json.first_name} ${json.last_name}?`,
            text: "This receiver can be paid again.",
          }}
          done="Receiver enabled"
          onAct={async () => {
            await send("POST", `${path}/enable`);
            await renew();
          }}
        />
      )}
      {kyc_status === "failed" && (
        <Act
          label="Restart identity check"
          confirm={{
            title: `Restart the identity check of ${json.first_name} ${json.last_name}?`,
            text: "The check starts again with the current details. Correct the details first if they were the problem.",
          }}
          done="Identity check restarted"
          onAct={async () => {
            await send("POST", `${path}/kyc`);
            await renew();
          }}
        />
      )}
      <PersonActions receiver={receiver} />
      <EditDialog opened={open === "edit"} receiver={receiver} onClose={close} />
      <ReasonDialog
        opened={open === "disable"}
        draft={`disable-${json.id}`}
        title={`Disable ${json.first_name} ${json.last_name}?`}
        text={
          <>
            This receiver can no longer be paid. The email can't be reused for another receiver.
            While a payout is pending, a receiver can't be disabled:{" "}
            <PageLink
              to={`${pageOf("payouts")}?receiver_id=${json.id}&stage=${unsentStages}`}
              underline="always"
            >
              select and cancel the payouts that are not sent yet
            </PageLink>{" "}
            first.
          </>
        }
        noteLabel="Reason (shown in the history, visible to the subaccount)"
        label="Disable"
        danger
        onReason={async ({ note }) => {
          await send("POST", `${path}/disable`, { reason: note.replaceAll(/\s+/g, " ") });
          await renew();
          notifications.show({ message: "Receiver disabled", color: "teal" });
        }}
        onClose={close}
      />
    </>
  );
}
