// What a user can do for a person who asks about their data: download all of it, or request its erasure.

import { useQueryClient } from "@tanstack/react-query";
import { send, sendForFile } from "../api/call.ts";
import { useApiOf, useMay } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { saveFile } from "../state/save-file.ts";
import { receiversTexts } from "../texts/receivers.ts";
import { type ReceiverDetail, useRenewReceivers } from "./receiver.ts";

export function PersonActions({ receiver }: { receiver: ReceiverDetail }) {
  const isAllowed = useMay("receivers.privacy");
  const apiOf = useApiOf();
  const renew = useRenewReceivers();
  const client = useQueryClient();
  const { json, erased_at, erasure_request } = receiver;
  if (!isAllowed || erased_at !== null) return null;
  const path = apiOf(`/receivers/${json.id}`);
  return (
    <>
      <Act
        label={receiversTexts.downloadPersonData}
        onAct={async () =>
          saveFile(`receiver-${json.id}.json`, await sendForFile(`${path}/export`))
        }
        done={receiversTexts.personDataDownloaded}
      />
      {erasure_request === null && (
        <Act
          label={receiversTexts.erase}
          danger
          confirm={{
            title: receiversTexts.eraseWithName(json.first_name, json.last_name),
            text: receiversTexts.eraseMeans,
            label: receiversTexts.requestErasure,
          }}
          done={receiversTexts.erasureRequested}
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
