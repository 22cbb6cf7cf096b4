// Sends a decision about money at a bank, and says whether it is done or waits for a second user.

import { notifications } from "@mantine/notifications";
import { send } from "../api/call.ts";

export async function decideAtBank(
  path: string,
  body: object | undefined,
  done: string,
): Promise<void> {
  const answer = await send<{ request_id: string | null } | undefined>("POST", path, body);
  const isWaiting = answer?.request_id != null;
  notifications.show({
    message: isWaiting
      ? "Nothing has changed yet: a second user has to confirm it in Approvals."
      : done,
    color: isWaiting ? "yellow" : "teal",
  });
}
