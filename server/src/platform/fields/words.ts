// Describes the fields of a schema, for command options, CSV columns and templates.

import { stringify } from "csv-stringify/sync";
import type { TObject } from "typebox";
import { refusals } from "../refusals/index.ts";
import type { FieldCodes, SchemaExtras } from "./fields.ts";

export type FieldWords = {
  name: string;
  isRequired: boolean;
  meaning: string;
  example: string;
};

/** In the order of the schema, without aliases. */
export function fieldsOf(schema: TObject): FieldWords[] {
  const { aliases = {} } = schema as SchemaExtras;
  return (
    Object.entries(schema.properties)
      .filter(([name]) => !(name in aliases))
      // An object is no option, no column and no field of a form.
      .filter(([, field]) => (field as { type?: string }).type !== "object")
      .map(([name, field]) => {
        const { codes, description, examples } = field as {
          codes?: FieldCodes;
          description?: string;
          examples?: string[];
        };
        return {
          name,
          isRequired: codes?.missing !== undefined,
          meaning: description ?? (codes ? refusals[codes.invalid][2] : ""),
          example: examples?.[0] ?? "",
        };
      })
  );
}

/** A header and an example row. */
export function templateOf(columns: readonly FieldWords[]): string {
  return stringify([columns.map(({ name }) => name), columns.map(({ example }) => example)]);
}
