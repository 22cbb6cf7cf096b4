// Saving the mapping for CSV statements: it decides about sign and amount of every later file, so a live one always takes
// two users.

import {
  checkedMapping,
  findCsvMapping,
  lockConnection,
  mappingNote,
  saveCsvMapping,
} from "../../../banking/connections/index.ts";
import type { BankDecision } from "../../../banking/requests/index.ts";
import type { Fields } from "../../../platform/fields/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";

export type MappingInput = { id: string; mapping: Fields };

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
