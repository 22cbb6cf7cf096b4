// What a user can do for a person who asks about their data: download all of it, or request its erasure.

import { useQueryClient } from "@tanstack/react-query";
import { useApprover } from "../api/approver.ts";
import { send, sendForFile } from "../api/call.ts";
import { useApiOf, useMay } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { saveFile } from "../state/save-file.ts";
import { type ReceiverDetail, useRenewReceivers } from "./receiver.ts";

export function PersonActions({ receiver }: { receiver: ReceiverDetail }) {
  const isAllowed = useMay("receivers.privacy");
  const approver = useApprover("receivers.privacy");
  const apiOf = useApiOf();
  const renew = useRenewReceivers();
  const client = useQueryClient();
  const { json, erased_at, erasure_request } = receiver;
  if (!isAllowed || erased_at !== null) return null;
  const path = apiOf(`/receivers/${json.id}`);
  return (
    <>
      <Act
        label="Download data"
        onAct={async () =>
          saveFile(`receiver-${json.id}.json`, await sendForFile(`${path}/export`))
        }
        done="Data downloaded. The audit log has it."
      />
      {erasure_request === null && (
        <Act
          label="Erase…"
          danger
          confirm={{
            title: `Erase ${json.first_name} ${json.last_name}?`,
            text: `${approver.first} has to approve it. Then names, email, date of birth, phone, address, bank details and free texts are overwritten everywhere. This can't be undone. Payouts keep their amounts and dates.`,
            label: "Request erasure",
          }}
          done={`Erasure requested. ${approver.first} has to approve it.`}
          onAct={async () => {
            await send("POST", `${path}/erase`);
            await renew();
            await client.invalidateQueries({ queryKey: ["waiting", "approvals"] });
          }}
        />
      )}
    </>
  );
}
