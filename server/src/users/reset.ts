// Resets a person's log-in: password and passkeys are gone, all sessions end, and a link lets the person start anew.

import { type Recording, recordAct } from "../audit/record.ts";
import { Refusal } from "../refusals/refusals.ts";
import { newInvitationToken } from "./invitation.ts";
import { deleteCredentials, lockUser } from "./queries.ts";
import { deleteSessionsOf } from "./session-queries.ts";
import type { UserActor } from "./user.ts";
import { recordVouch } from "./vouch-queries.ts";

export async function resetUser(
  recording: Recording,
  id: string,
  { nowMs, ...doer }: UserActor & { nowMs: number },
): Promise<string> {
  const { tx } = recording;
  const person = await lockUser(tx, id);
  if (!person) throw new Refusal("CONS110");
  await deleteCredentials(tx, id);
  await deleteSessionsOf(tx, id);
  const token = await newInvitationToken(tx, { personId: id, madeBy: doer.who, nowMs });
  await recordVouch(tx, { personId: id, doer, atMs: nowMs });
  await recordAct(recording, {
    ...doer,
    action: "person.reset",
    object: { kind: "person", id },
    subaccountId: person.subaccountIds?.[0],
  });
  return token;
}
