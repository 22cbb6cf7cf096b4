// What takes one user or a command: a command saves a connection, and everybody may disable one.

import Type from "typebox";
import { idField, input, required } from "../../platform/fields/index.ts";
import { act } from "../../tenants/acts/index.ts";
import { describeConnection } from "./describe-connection.ts";
import { disableConnection, putConnection } from "./save-connection.ts";

const ofConnection = { object: "bank_connection", may: "banks.write" } as const;

/** The fields are checked together, with codes of their own. */
export const putBank = act({
  ...ofConnection,
  name: "bank.change",
  summary: "add a bank connection, or change the one of that name, from a JSON file",
  doors: ["cli"],
  input: input({ fields: required(Type.Record(Type.String(), Type.Unknown())) }),
  async run({ tx, seal, who, atMs }, { fields }) {
    const { before, after } = await putConnection({ tx, seal }, fields, { who, atMs });
    const saved = describeConnection(after);
    return {
      result: saved,
      action: before ? "bank.change" : "bank.add",
      id: after.id,
      before: before ? describeConnection(before) : {},
      after: saved,
    };
  },
});

/** At once: it only stops new payouts. */
export const disableBank = act({
  ...ofConnection,
  name: "bank.disable",
  summary: "take no new payouts; files that are frozen can still be sent",
  doors: ["console", "cli"],
  input: input({ id: idField("BANK102") }),
  async run({ tx, atMs }, { id }) {
    const { name } = await disableConnection(tx, id, atMs);
    return { result: { id, name }, id };
  },
});
