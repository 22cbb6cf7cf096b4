// The mapping for CSV statements of a bank connection: checked, saved with its versions, and used to read a file.

import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import {
  type CsvMapping,
  csvMappingProblems,
} from "../../../../packages/bank-formats/src/index.ts";
import type { Runner, Tx } from "../../platform/db/index.ts";
import type { Fields } from "../../platform/fields/index.ts";
import { type Problem, Refusal } from "../../platform/refusals/index.ts";
import { lockConnection } from "./connection-queries.ts";
import { type CsvMappingRow, findCsvMapping, insertCsvMapping } from "./csv-mapping-queries.ts";
import { CsvMappingFields } from "./csv-mapping-schema.ts";

/** Not `checkOf`: it trims texts, and a mark may be a tab or a space. */
const fields = Object.entries<TSchema>(CsvMappingFields.properties).map(([name, schema]) => ({
  name,
  description: (schema as { description?: string }).description ?? name,
  isRequired: (CsvMappingFields.required as readonly string[]).includes(name),
  validator: Compile(schema),
}));

/** Refuses with every problem at once. */
export function checkedMapping(input: Fields): CsvMapping {
  const known = new Set(fields.map(({ name }) => name));
  const problems: Problem[] = Object.keys(input)
    .filter((name) => !known.has(name))
    .map((name) => mappingProblem(name.slice(0, 100), "It is unknown"));
  const given: Fields = {};
  for (const { name, description, isRequired, validator } of fields) {
    const value = input[name];
    const isAbsent = value === undefined || value === null;
    if (isAbsent && !isRequired) continue;
    if (validator.Check(value)) given[name] = value;
    else problems.push(mappingProblem(name, `It is missing or not valid: ${description}`));
  }
  const mapping = given as CsvMapping;
  // Rules between fields need all of them.
  const between = problems.length === 0 ? csvMappingProblems(mapping) : [];
  const all = [...problems, ...between.map(({ field, message }) => mappingProblem(field, message))];
  const [first, ...rest] = all;
  if (first) throw new Refusal([first, ...rest]);
  return mapping;
}

function mappingProblem(field: string, message: string): Problem {
  return { code: "BANK462", field, message };
}

type SavedMapping = { before: CsvMappingRow | undefined; after: CsvMappingRow };

/** Adds a version, which is used from now on. */
export async function saveCsvMapping(
  tx: Tx,
  connectionId: string,
  { input, who, atMs }: { input: Fields; who: string; atMs: number },
): Promise<SavedMapping> {
  const mapping = checkedMapping(input);
  // Two users that save at once get two versions.
  if (!(await lockConnection(tx, connectionId))) throw new Refusal("BANK102");
  const before = await findCsvMapping(tx, connectionId);
  const after = await insertCsvMapping(tx, {
    connection_id: connectionId,
    version: (before?.version ?? 0) + 1,
    mapping,
    saved_at_ms: atMs,
    saved_by: who,
  });
  return { before, after };
}

/** The entry of the audit log. */
export function mappingNote({ before, after }: SavedMapping) {
  return {
    action: "bank.csv-mapping",
    object: { kind: "bank_connection", id: after.connection_id },
    before: before ? { version: before.version, mapping: before.mapping } : {},
    after: { version: after.version, mapping: after.mapping },
  };
}

/**
 * How a file is read that says of itself no format: by the mapping of the bank connection that a user or its folder
 * names. Refuses where there is none, and where the file is no CSV statement at all.
 */
export async function csvMappingFor(
  db: Runner,
  { looksLikeCsv }: { looksLikeCsv: boolean },
  connection: { id: string } | undefined,
): Promise<CsvMapping> {
  const saved = connection && (await findCsvMapping(db, connection.id));
  if (saved) return saved.mapping;
  if (!looksLikeCsv) throw new Refusal("BANK402");
  throw new Refusal(connection ? "BANK461" : "BANK406");
}
