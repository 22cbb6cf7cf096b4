// Ends sessions. The next request with such a session is refused.

import { idField, input, NoFields } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { act } from "../acts/index.ts";
import { may } from "../roles/index.ts";
import { deleteAllSessions, deleteSession, deleteSessionsOf } from "../user-records/index.ts";
import { ofOtherUsers } from "./other-user.ts";

/** Users end their own sessions. Admins may end any. */
export const endSession = act({
  name: "session.end",
  tokens: "none",
  summary: "end one session of a user",
  object: "person",
  may: "read",
  doors: ["console"],
  input: input({ id: idField("CONS110") }),
  async run({ tx, session }, { id }) {
    const isAdmin = session !== undefined && may(session.user, "users.write");
    const found = await deleteSession(tx, { id, userId: isAdmin ? undefined : session?.user.id });
    if (!found) throw new Refusal("CONS110");
    return { result: undefined, id: found.userId, after: { session_id: id } };
  },
});

export const endSessionsOf = act({
  ...ofOtherUsers,
  name: "session.end_of_user",
  summary: "end all sessions of a user",
  stepUp: false,
  doors: ["console"],
  input: input({ id: idField("CONS110") }),
  async run({ tx }, { id }) {
    const sessions = await deleteSessionsOf(tx, id);
    return { result: undefined, action: "session.end", id, after: { sessions } };
  },
});

/** The result is their number. */
export const endAllSessions = act({
  ...ofOtherUsers,
  name: "session.end_all",
  summary: "end the sessions of all users: each signs in again",
  object: "installation",
  doors: ["cli"],
  input: NoFields,
  async run({ tx }) {
    const sessions = await deleteAllSessions(tx);
    return { result: sessions, action: "session.end", id: "installation", after: { sessions } };
  },
});
