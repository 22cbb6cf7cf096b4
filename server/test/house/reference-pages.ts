// The pages in docs/reference that are made from code: settings, commands, metrics and operations of the API; and the fields of
// our resources for the conformance kit. The page of errors is written by server/src/doors/app/generate.ts. Tests compare
// these with the files.

import type { Argument, Command, Option } from "commander";
import { settings } from "../../src/platform/config/config.ts";
import { metricTable } from "../../src/platform/metrics/metric-table.ts";
import type { knownActs } from "../../src/tenants/acts/act.ts";

/** A page is written by hand, except the part between two comments. */
export function withPart(page: string, name: string, part: string): string {
  const start = `<!-- ${name}: written by npm run generate -->`;
  const end = `<!-- end of ${name} -->`;
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`a page lacks "${start}"`);
  return `${before}${start}\n\n${part}\n\n${end}${after}`;
}

export function settingTable(): string {
  const rows = Object.entries(settings).map(([name, { fallback, meaning }]) => {
    const shown = fallback === "" ? "" : `\`${fallback}\``;
    return `| \`${name}\` | ${shown} | ${meaning} |`;
  });
  return ["| variable | default | meaning |", "|---|---|---|", ...rows].join("\n");
}

export function metricRows(): string {
  const rows = Object.entries(metricTable).map(([name, metric]) => {
    const labels = "labels" in metric ? metric.labels.map((label) => `\`${label}\``) : [];
    return `| \`${name}\` | ${metric.type} | ${labels.join(", ")} | ${metric.help} |`;
  });
  return ["| metric | type | labels | |", "|---|---|---|---|", ...rows].join("\n");
}

/** The table of acts, by name. */
export function actRows(acts: ReturnType<typeof knownActs>): string {
  const rows = acts
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, summary, may, stepUp, twoPeople = "", doors, tokens }) => {
      const cells = [
        `\`${name}\``,
        sentence(summary),
        `\`${may}\``,
        stepUp ? "yes" : "",
        twoPeople,
      ];
      const isForPrograms = doors.includes("console") && tokens === undefined;
      const all = isForPrograms ? [...doors, "token"] : doors;
      return `| ${cells.map(inCell).join(" | ")} | ${all.join(", ")} |`;
    });
  const head = "| act | what it does | permission | re-authentication | second user | doors |";
  return [head, "|---|---|---|---|---|---|", ...rows].join("\n");
}

type Schema = {
  type?: string | string[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
};
export type Schemas = { components: { schemas: Record<string, Schema> } };

/** What the conformance kit reads with --disburse. */
const kitSchemas = [
  ...["Receiver", "ReceiverAccount", "Subaccount", "CreatedReceiverAccount"],
  ...["CreatedPayout", "Payout", "Balance", "EventRecord", "Postback"],
];

/** A file of the conformance kit: the fields of what it reads. A field that may be absent has a question mark. */
export function kitFields({ components }: Schemas): string {
  const tables = kitSchemas.map((name) => {
    const { properties = {}, required = [] } = components.schemas[name] ?? {};
    const rows = Object.entries(properties).map(
      ([field, schema]) =>
        `    ${field}: "${typesOf(schema)}${required.includes(field) ? "" : "?"}",\n`,
    );
    return `  ${name}: {\n${rows.join("")}  },\n`;
  });
  return `// The fields of our resources, with their types. npm run generate writes this file from openapi.json.

export const ourFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
${tables.join("")}};
`;
}

function typesOf({ type, anyOf }: Schema): string {
  const types = anyOf ? anyOf.map(typesOf) : [type ?? "object"].flat();
  const plain = types.map((one) => (one === "integer" ? "number" : one));
  return [...new Set(plain)].sort().join("|");
}

type Operation = { operationId: string; summary: string; description?: string; tags: string[] };
export type OpenApi = { paths: Record<string, Record<string, Operation>> };

export function operationTables({ paths }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      route: `${method.toUpperCase()} ${path}`,
    })),
  );
  const byTag = [...Map.groupBy(operations, ({ tags }) => tags[0] as string)];
  const chapters = byTag.map(([tag, group]) => {
    const rows = group.map(({ route, operationId, summary, description = "" }) => {
      const what = `${summary}. ${description}`.trim();
      return `| \`${route}\` | \`${operationId}\` | ${inCell(what)} |`;
    });
    return [`## ${tag}\n`, "| operation | name | |", "|---|---|---|", ...rows].join("\n");
  });
  return chapters.join("\n\n");
}

export function commandTables(program: Command): string {
  return chaptersOf(program, []).join("\n\n");
}

function chaptersOf(command: Command, parents: readonly string[]): string[] {
  const path = [...parents, command.name()];
  const own = parents.length > 0 ? [chapterOf(command, path)] : [];
  return [...own, ...command.commands.flatMap((child) => chaptersOf(child, path))];
}

function chapterOf(command: Command, path: readonly string[]): string {
  const level = path.length === 2 ? "###" : "####";
  const given = command.registeredArguments;
  const title = [...path, ...given.map(wordOf)].join(" ");
  const alias = command.alias() ? ` Also \`${command.alias()}\`.` : "";
  // Every command takes --json, which the page says once.
  const options = command.options.filter(({ hidden, long }) => !hidden && long !== "--json");
  const rows = [
    ...given.filter(({ description }) => description).map((one) => rowOf(wordOf(one), one)),
    ...options.map((option) => rowOf(option.flags, option)),
  ];
  const table = rows.length > 0 ? ["", "| | |", "|---|---|", ...rows] : [];
  const lines = [
    `${level} \`${title}\``,
    "",
    `${sentence(command.description())}${alias}`,
    ...table,
  ];
  return lines.join("\n");
}

function wordOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function rowOf(
  flags: string,
  { description, defaultValue, argChoices, ...option }: Argument | Option,
) {
  const isShown = ["string", "number"].includes(typeof defaultValue) && defaultValue !== "";
  const notes = [
    "mandatory" in option && option.mandatory ? "required" : "",
    argChoices ? `one of ${argChoices.map((choice) => `\`${choice}\``).join(", ")}` : "",
    isShown ? `default: \`${defaultValue}\`` : "",
  ].filter(Boolean);
  const more = notes.length > 0 ? ` (${notes.join("; ")})` : "";
  return `| \`${inCell(flags)}\` | ${inCell(description + more)} |`;
}

export const inCell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
