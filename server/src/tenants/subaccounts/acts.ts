// What users and commands do to a subaccount itself.

import Type from "typebox";
import { input, line, required, requiredOfUsers } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { problem, Refusal } from "../../platform/refusals/index.ts";
import { act } from "../acts/index.ts";
import { endSubaccount } from "./close.ts";
import { findSubaccount, updateSecondUser, updateStatementName } from "./queries.ts";

/** It can't be undone, so a user types the name. A command that closes it again changes nothing. */
export const closeForGood = act({
  name: "subaccount.close",
  summary: "close a subaccount: its keys stop working, its data stays",
  object: "subaccount",
  may: "subaccounts.create",
  stepUp: true,
  in: "subaccount",
  doors: ["console", "cli"],
  input: input({ name: requiredOfUsers(Type.String({ maxLength: 200 })) }),
  async run({ tx, session, subaccount: { id } }, { name: typedName }) {
    const name = (await findSubaccount(tx, id))?.wire.suba_name;
    if (session && typedName !== name?.trim()) throw new Refusal([problem("CONS708", "name")]);
    const wasOpen = await endSubaccount(tx, id);
    if (session && !wasOpen) throw new Refusal("CONS701");
    return { result: undefined, id: wasOpen ? id : undefined };
  },
});

export const setStatementName = act({
  name: "subaccount.set_statement_name",
  summary:
    "set the payer's name that receivers see on their statements; '' to use the bank connection's",
  object: "subaccount",
  may: "settings.write",
  in: "subaccount",
  doors: ["cli"],
  input: input({
    name: required(Type.String({ maxLength: limits.statementNameChars, pattern: line })),
  }),
  async run({ tx, subaccount: { id } }, { name }) {
    const before = (await findSubaccount(tx, id))?.statementName;
    await updateStatementName(tx, id, name);
    return {
      result: undefined,
      id,
      before: { statement_name: before },
      after: { statement_name: name },
    };
  },
});

export const setSecondUser = act({
  name: "subaccount.second_user",
  summary: "say whether a test subaccount practises four eyes: what waits then needs a second user",
  object: "subaccount",
  may: "settings.write",
  in: "open subaccount",
  doors: ["console"],
  input: input({ is_needed: required(Type.Boolean()) }),
  async run({ tx, subaccount: { id, mode } }, { is_needed: isNeeded }) {
    if (mode === "live") throw new Refusal("CONS418");
    const before = await updateSecondUser(tx, id, isNeeded);
    if (before === isNeeded) return { result: undefined, id: undefined };
    return {
      result: undefined,
      id,
      before: { needs_second_user: before },
      after: { needs_second_user: isNeeded },
    };
  },
});
