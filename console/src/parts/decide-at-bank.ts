// Sends a decision about money at a bank, and says whether it is done or waits for a second user.

import { notifications } from "@mantine/notifications";
import { send } from "../api/call.ts";
import { statementsTexts } from "../texts/statements.ts";

export async function decideAtBank(path: string, body: object, done: string): Promise<void> {
  const answer = await send<{ request_id: string | null } | undefined>("POST", path, body);
  const isWaiting = answer?.request_id != null;
  notifications.show({
    message: isWaiting ? statementsTexts.waitsForSecondUser : done,
    color: isWaiting ? "yellow" : "teal",
  });
}
