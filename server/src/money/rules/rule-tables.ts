// The tables of docs/compliance/rules.md, made from the schema. Pure.

import type { TSchema } from "typebox";
import { acts, conditions } from "./rule.ts";

type Described = {
  description?: string;
  properties: Record<string, TSchema & { description?: string; enum?: string[]; items?: object }>;
};

export function conditionTable(): string {
  return tableOf("fact", "fields", Object.entries<Described>(conditions));
}

export function actTable(): string {
  return tableOf("act", "fields", Object.entries<Described>(acts));
}

function tableOf(first: string, second: string, rows: [string, Described][]): string {
  const lines = rows.map(([name, { description = "", properties }]) => {
    const fields = Object.entries(properties)
      .filter(([field]) => field !== "fact" && field !== "act")
      .map(([field, schema]) => `\`${field}\`: ${fieldWords(schema)}`);
    return `| \`${name}\` | ${description} | ${fields.join("; ")} |`;
  });
  return [`| ${first} | | ${second} |`, "|---|---|---|", ...lines].join("\n");
}

function fieldWords({ description = "", enum: names }: { description?: string; enum?: string[] }) {
  const values = names?.filter((name) => name !== "").map((name) => `\`${name}\``) ?? [];
  return values.length === 0 ? description : `${description} (${values.join(", ")})`;
}
