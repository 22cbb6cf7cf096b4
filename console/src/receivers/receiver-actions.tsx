// The actions for a receiver: pay, edit, disable, re-enable, and those about the data of the person.

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { Pencil, Send } from "../parts/icons.tsx";
import { LinkButton } from "../parts/link-button.tsx";
import { ReasonDialog } from "../parts/reason-dialog.tsx";
import { receiversTexts } from "../texts/receivers.ts";
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
          {receiversTexts.pay}
        </LinkButton>
      )}
      <Button
        variant="default"
        leftSection={<Pencil size={14} aria-hidden />}
        onClick={() => setOpen("edit")}
      >
        {receiversTexts.edit}
      </Button>
      {status === "active" && (
        <Button variant="default" c="var(--mantine-color-error)" onClick={() => setOpen("disable")}>
          {receiversTexts.disableMenu}
        </Button>
      )}
      {status === "inactive" && kyc_status === "completed" && (
        <Act
          label={receiversTexts.reEnable}
          confirm={{
            title: receiversTexts.reEnableWithFirstName(json.first_name, json.last_name),
            text: receiversTexts.thisReceiverCanBePaidAgain,
          }}
          done={receiversTexts.receiverEnabled}
          onAct={async () => {
            await send("POST", `${path}/enable`);
            await renew();
          }}
        />
      )}
      {kyc_status === "failed" && (
        <Act
          label={receiversTexts.restartIdentityCheck}
          confirm={{
            title: receiversTexts.restartIdentityCheckOf(json.first_name, json.last_name),
            text: receiversTexts.theCheckBeginsAnew,
          }}
          done={receiversTexts.identityCheckRestarted}
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
        title={receiversTexts.disableWithFirstName(json.first_name, json.last_name)}
        text={receiversTexts.thisReceiverCanNoLongerBe}
        noteLabel={receiversTexts.reasonShownInTheHistoryVisible}
        label={receiversTexts.disable}
        danger
        onReason={async ({ note }) => {
          await send("POST", `${path}/disable`, { reason: note.replaceAll(/\s+/g, " ") });
          await renew();
          notifications.show({ message: receiversTexts.receiverDisabled, color: "teal" });
        }}
        onClose={close}
      />
    </>
  );
}
