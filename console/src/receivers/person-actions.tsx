// What a user can do for a person who asks about their data: download all of it, or erase it.

import { notifications } from "@mantine/notifications";
import type { ErasedByUser } from "@server/console/receivers/schema.ts";
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
  const { json, erased_at } = receiver;
  if (!isAllowed || erased_at !== null) return null;
  const path = apiOf(`/receivers/${json.id}`);
  const erase = async () => {
    const { applicant } = await send<ErasedByUser>("POST", `${path}/erase`);
    await renew();
    notifications.show(
      applicant
        ? {
            message: receiversTexts.eraseAtProvider(applicant.id, applicant.provider),
            color: "yellow",
            autoClose: false,
          }
        : { message: receiversTexts.receiverErased, color: "teal" },
    );
  };
  return (
    <>
      <Act
        label={receiversTexts.downloadPersonData}
        onAct={async () =>
          saveFile(`receiver-${json.id}.json`, await sendForFile(`${path}/export`))
        }
        done={receiversTexts.personDataDownloaded}
      />
      <Act
        label={receiversTexts.erase}
        danger
        confirm={{
          title: receiversTexts.eraseWithName(json.first_name, json.last_name),
          text: receiversTexts.eraseMeans,
          label: receiversTexts.eraseForGood,
        }}
        onAct={erase}
      />
    </>
  );
}
