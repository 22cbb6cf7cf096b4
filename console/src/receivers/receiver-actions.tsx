// What can be done with a receiver: change the details, take it out of use, put it back.

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { ReasonDialog } from "../parts/reason-dialog.tsx";
import { EditDialog } from "./edit-dialog.tsx";
import { type ReceiverDetail, useRenewReceivers } from "./receiver.ts";

export function ReceiverActions({ receiver }: { receiver: ReceiverDetail }) {
  const mayWrite = useMay("receivers.write");
  const { is_closed } = useSubaccount();
  const apiOf = useApiOf();
  const renew = useRenewReceivers();
  const [open, setOpen] = useState<"edit" | "disable">();
  if (!mayWrite || is_closed) return null;
  const { status, kyc_status, json } = receiver;
  const path = apiOf(`/receivers/${json.id}`);
  const close = () => setOpen(undefined);
  return (
    <>
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
          label="Enable"
          confirm={{
            title: `Put ${json.first_name} ${json.last_name} back into use?`,
            text: "Payouts to this receiver are accepted again.",
          }}
          done="The receiver is in use again"
          onAct={async () => {
            await send("POST", `${path}/enable`);
            await renew();
          }}
        />
      )}
      <EditDialog opened={open === "edit"} receiver={receiver} onClose={close} />
      <ReasonDialog
        opened={open === "disable"}
        title={`Disable ${json.first_name} ${json.last_name}?`}
        text="No payout to this receiver is accepted any more. The e-mail address stays taken."
        noteLabel="Reason, for the history; the subaccount can read it"
        label="Disable"
        danger
        onReason={async ({ note }) => {
          await send("POST", `${path}/disable`, { reason: note.replaceAll(/\s+/g, " ") });
          await renew();
          notifications.show({ message: "The receiver is out of use", color: "teal" });
        }}
        onClose={close}
      />
    </>
  );
}
