// Saving the mapping for CSV statements: it decides about sign and amount of every later file, so a live one always takes
// two users.

import Type from "typebox";
import { type Fields, idField, input, required } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type ActBy, type ActParts, call } from "../../tenants/acts/index.ts";
import { type BankDecision, decideOrRequest } from "../requests/index.ts";
import { lockConnection } from "./connection-queries.ts";
import { checkedMapping, mappingNote, saveCsvMapping } from "./csv-mapping.ts";
import { findCsvMapping } from "./csv-mapping-queries.ts";

/** `saved` is the mapping that is in force. A new one may wait for a second user. */
export const saveMapping = call({
  name: "bank.csv-mapping",
  summary: "say what the columns of the bank's CSV statements mean",
  object: "bank_connection",
  may: "banks.write",
  stepUp: true,
  twoPeople: "Say what the columns of a bank's CSV statements mean",
  doors: ["console", "cli"],
  input: input({
    id: idField("BANK102"),
    /** It is checked field by field, with its own codes. */
    mapping: required(Type.Record(Type.String(), Type.Unknown())),
  }),
  async perform(parts: ActParts, { actor }: ActBy, given) {
    const requestId = await decideOrRequest(parts, actor, mappingDecisions, given);
    return { saved: await findCsvMapping(parts.db, given.id), request_id: requestId ?? null };
  },
});

type MappingInput = { id: string; mapping: Fields };

export const mappingDecisions: BankDecision<MappingInput> = {
  kind: "csv_mapping",
  async factsOf(tx, { id, mapping }) {
    const connection = await lockConnection(tx, id);
    if (!connection) throw new Refusal("BANK102");
    const saved = await findCsvMapping(tx, id);
    const before: Fields = { ...saved?.mapping };
    const after: Fields = { ...checkedMapping(mapping) };
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    const changes = names
      .map((field) => ({ field, before: shown(before[field]), after: shown(after[field]) }))
      .filter((change) => change.before !== change.after);
    return {
      connectionId: id,
      objectId: id,
      mode: connection.mode,
      state: `version ${saved?.version ?? 0}`,
      needs: "second user",
      summary: { name: "", act: "save", counts: null, sums: [], changes },
    };
  },
  async apply(tx, { id, mapping }, by) {
    return mappingNote(await saveCsvMapping(tx, id, { input: mapping, ...by }));
  },
};

function shown(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
