// A page for each operation of an API, as Markdown, from its OpenAPI document: code, fields, recorded answers, refusals.

import type { Json } from "../openapi-schemas.ts";
import type { Sample } from "../samples/sample.ts";
import { codeSamples } from "./code-samples.ts";
import type { SitePage } from "./site-page.ts";

type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: {
    in: string;
    name: string;
    required?: boolean;
    description?: string;
    schema: Json;
  }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Json }> }>;
};

export type ApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Json> };
};

type ApiPages = {
  /** The address of the list; each operation is below it. */
  path: string;
  title: string;
  introduction: string;
  document: ApiDocument;
  samples: readonly Sample[];
  /** The page that sends requests, and its address of an operation. */
  send: string;
};

export function operationPages(api: ApiPages): SitePage[] {
  const operations = Object.entries(api.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const byTag = [...Map.groupBy(operations, ({ operation }) => operation.tags[0] as string)];
  const list = byTag.map(([tag, group]) => {
    const rows = group.map(
      ({ path, method, operation: { operationId, summary } }) =>
        `| [${inCell(capital(summary))}](${api.path}/${operationId}) | \`${method.toUpperCase()} ${path}\` |`,
    );
    return `## ${capital(tag)}\n\n| | |\n|---|---|\n${rows.join("\n")}\n`;
  });
  const markdown = `# ${api.title}\n\n${api.introduction}\n\n${list.join("\n")}`;
  const index = { path: api.path, title: api.title, group: api.title, markdown: () => markdown };
  const pages = byTag.flatMap(([tag, group]) =>
    group.map(({ path, method, operation }) => ({
      path: `${api.path}/${operation.operationId}`,
      title: capital(operation.summary),
      group: api.title,
      chapter: capital(tag),
      markdown: () => pageOf(api, path, method, operation),
    })),
  );
  return [index, ...pages];
}

function pageOf(api: ApiPages, path: string, method: string, operation: Operation): string {
  const {
    operationId,
    summary,
    description,
    tags,
    parameters = [],
    requestBody,
    responses,
  } = operation;
  const samples = api.samples.filter((sample) => sample.operationId === operationId);
  const first = samples.find(({ status }) => status === 200);
  const hash = `#tag/${(tags[0] as string).toLowerCase().replaceAll(" ", "-")}/${method.toUpperCase()}${path}`;
  const parts = [
    `# ${capital(summary)}`,
    `\`${method.toUpperCase()} ${path}\` · [Send it from this browser](${api.send}${hash})`,
    description ?? "",
  ];
  if (first && api.path === "/docs/operations") {
    const blocks = codeSamples(first).map(
      ({ title, language, text }) => `\`\`\`${language} tab=${title}\n${text}\n\`\`\``,
    );
    parts.push("## Code", ...blocks);
  }
  if (parameters.length > 0) {
    const rows = parameters.map(
      ({ in: place, name, required, description: about = "", schema }) => {
        const what = [about || text(schema.description), ...notesOf(schema)].filter(Boolean);
        return row(`\`${name}\``, place, typeOf(schema), required ? "yes" : "", what.join(". "));
      },
    );
    parts.push("## Parameters", tableOf(["name", "in", "type", "required", ""], rows));
  }
  const body = requestBody?.content["application/json"]?.schema;
  if (body) parts.push("## Body", fieldTable(api.document, body, true));
  const success = responses[200]?.content;
  const answer = success?.["application/json"]?.schema;
  if (answer) parts.push("## Response", fieldTable(api.document, answer, false));
  const others = Object.keys(success ?? {}).filter((type) => type !== "application/json");
  if (others.length > 0) {
    const types = others.map((type) => `\`${type}\``).join(" or ");
    parts.push(`With \`accept\`, the response is ${types}.`);
  }
  if (samples.length > 0) parts.push("## Recorded responses", ...samples.map(recorded));
  const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  if (refusals.length > 0) {
    const rows = refusals.flatMap(([status, response]) =>
      response.description.split("\n\n").map((line) => {
        const [, code = "", message = ""] = /^(\w+) (.*)$/.exec(line) ?? [];
        return row(code, status, message);
      }),
    );
    parts.push("## Refusals", tableOf(["code", "status", "text"], rows));
  }
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function recorded({
  summary,
  method,
  path,
  headers = {},
  body,
  status,
  link,
  answer,
}: Sample): string {
  const lines = [`${method} ${path}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push("", JSON.stringify(body, null, 2));
  const given = typeof answer === "string" ? answer.trimEnd() : JSON.stringify(answer, null, 2);
  const title = summary === "Done" ? "" : `${summary}:\n\n`;
  const head = link ? `${status}\nlink: ${link}` : String(status);
  return `${title}\`\`\`http\n${lines.join("\n")}\n\`\`\`\n\n\`\`\`json\n${head}\n\n${given}\n\`\`\``;
}

type Field = { name: string; schema: Json; required: boolean };

function fieldTable(document: ApiDocument, schema: Json, isRequest: boolean): string {
  const fields = fieldsOf(document, schema, "", 0);
  if (fields.length === 0) return "No fields.";
  const rows = fields.map(({ name, schema: one, required }) => {
    const what = [text(one.description), ...notesOf(one)].filter(Boolean).join(". ");
    const cells = [`\`${name}\``, typeOf(one)];
    return row(...cells, ...(isRequest ? [required ? "yes" : ""] : []), what);
  });
  return tableOf(["field", "type", ...(isRequest ? ["required"] : []), ""], rows);
}

/** So deep that no answer of today is cut, and a schema within itself ends. */
const depthMax = 5;

function fieldsOf(document: ApiDocument, given: Json, before: string, depth: number): Field[] {
  const schema = resolved(document, given);
  const items = schema.items as Json | undefined;
  if (items) return fieldsOf(document, items, `${before}[]`, depth);
  const alternatives = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as Json[] | undefined;
  if (alternatives) {
    const all = alternatives.flatMap((one) => fieldsOf(document, one, before, depth));
    return [...new Map(all.map((field) => [field.name, field])).values()];
  }
  if (depth >= depthMax) return [];
  const required = (schema.required ?? []) as string[];
  return Object.entries((schema.properties ?? {}) as Record<string, Json>).flatMap(
    ([name, one]) => {
      const path = before === "" ? name : `${before}.${name}`;
      const own = {
        ...resolved(document, one),
        ...(one.description ? { description: one.description } : {}),
      };
      const field = { name: path, schema: own, required: required.includes(name) };
      return [field, ...fieldsOf(document, own, path, depth + 1)];
    },
  );
}

function resolved({ components }: ApiDocument, schema: Json): Json {
  const name = text(schema.$ref).split("/").at(-1) ?? "";
  return name ? (components?.schemas?.[name] ?? {}) : schema;
}

function typeOf(schema: Json): string {
  if (schema.enum) return (schema.enum as unknown[]).map((one) => `\`${one}\``).join(", ");
  if (schema.const !== undefined) return `\`${schema.const}\``;
  const alternatives = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (alternatives) return [...new Set(alternatives.map(typeOf))].join(" or ");
  if (schema.$ref) return "object";
  return [schema.type ?? "any"].flat().join(" or ");
}

function notesOf(schema: Json): string[] {
  const { minLength, maxLength, minimum, maximum, default: fallback, format } = schema;
  const range = (low: unknown, high: unknown, unit: string) => {
    if (low === undefined && high === undefined) return "";
    if (high === undefined) return `At least ${low}${unit}`;
    return low === undefined ? `At most ${high}${unit}` : `${low} to ${high}${unit}`;
  };
  return [
    range(minLength, maxLength, " characters"),
    range(minimum, maximum, ""),
    format ? `Format: ${format}` : "",
    fallback === undefined ? "" : `Default: \`${fallback}\``,
  ].filter(Boolean);
}

const text = (value: unknown) => (typeof value === "string" ? value : "");
const capital = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
const inCell = (words: string) => words.replaceAll("|", "\\|").replaceAll("\n", " ");
const row = (...cells: string[]) => `| ${cells.map(inCell).join(" | ")} |`;
const tableOf = (head: string[], rows: string[]) =>
  [row(...head), `|${head.map(() => "---|").join("")}`, ...rows].join("\n");
