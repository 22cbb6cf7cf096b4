// Checks the settings inside a bank connection: those of its format, and those of SFTP.

import type { TObject } from "typebox";
import { checkOf, type Fields } from "../../platform/fields/index.ts";
import type { Problem } from "../../platform/refusals/index.ts";

/** `name` is the field of the connection that holds them. */
export function settingsProblems(schema: TObject, given: Fields, name: string): Problem[] {
  const { properties } = schema;
  const required: readonly string[] = schema.required ?? [];
  const unknown = Object.keys(given).filter((setting) => !(setting in properties));
  const problems = unknown.map((setting) => settingProblem(`${name}.${setting}`, "is unknown"));
  const withCodes = {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([setting, property]) => {
        const isNeeded = required.includes(setting) && !("default" in property);
        const codes = { ...(isNeeded ? { missing: "BANK201" } : {}), invalid: "BANK201" };
        return [setting, { ...property, codes }];
      }),
    ),
  };
  for (const { field = "" } of checkOf(withCodes)(given).problems) {
    const { description = "" } = properties[field] as { description?: string };
    const what = `is missing or not valid: ${description}`;
    problems.push(settingProblem(`${name}.${field}`, what));
  }
  return problems;
}

export function settingProblem(field: string, what: string): Problem {
  return { code: "BANK201", field, message: `It ${what}` };
}

export function withDefaults({ properties }: TObject, given: Fields): Fields {
  const defaults = Object.entries(properties).flatMap(([name, schema]) =>
    "default" in schema ? [[name, schema.default]] : [],
  );
  return { ...Object.fromEntries(defaults), ...given };
}
