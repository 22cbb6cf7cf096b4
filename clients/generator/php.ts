// The template of the client in PHP: src/Schemas.php has the array shapes of all schemas, and src/Resources a class for
// each resource.

import { type Method, type Model, resourcesOf, type Shared } from "./operations.ts";
import { type Field, namesIn, type Shape } from "./shapes.ts";
import { pascalCase, wrap } from "./text.ts";

const width = 120;
const folder = "clients/php/src";
const written = "Written by npm run generate, from openapi.json.";

export function phpFiles(model: Model, shared: Shared): Record<string, string> {
  const resources = [...resourcesOf(model)].map(
    ([resource, methods]) =>
      [`${folder}/Resources/${pascalCase(resource)}.php`, resourceFile(resource, methods)] as const,
  );
  return {
    [`${folder}/Schemas.php`]: schemasFile(model),
    [`${folder}/Tables.php`]: tablesFile(model, shared),
    ...Object.fromEntries(resources),
  };
}

const start = "<?php\n\ndeclare(strict_types=1);\n\nnamespace Disburse";

function tablesFile({ events }: Model, shared: Shared): string {
  const { version, classByCode, classByStatus, webhookCures } = shared;
  const isNumber = (key: string) => /^\d+$/.test(key);
  const table = (rows: Record<string, string>, write: (value: string) => string) =>
    Object.entries(rows)
      .map(([key, value]) => `        ${isNumber(key) ? key : text(key)} => ${write(value)},`)
      .join("\n");
  const classOf = (name: string) => `Exceptions\\${name.replace(/Error$/, "Exception")}::class`;
  return `${start};

/** What all clients share: the version, and tables of errors and events. Written by npm run generate. */
final class Tables
{
    public const VERSION = ${text(version)};

    public const EVENT_TYPES = [
${wrap(`${events.map(({ type }) => text(type)).join(", ")},`, "        ", width)}
    ];

    public const CLASS_BY_CODE = [
${table(classByCode, classOf)}
    ];

    public const CLASS_BY_STATUS = [
${table(classByStatus, classOf)}
    ];

    public const WEBHOOK_CURES = [
${table(webhookCures, text)}
    ];
}
`;
}

function schemasFile({ types, events }: Model): string {
  const aliases = [...types].map(([name, fields]) => {
    const shape: Shape = fields.length > 0 ? { kind: "object", fields } : { kind: "map" };
    return ` * @phpstan-type ${name} ${typeOf(shape, " *   ")}`;
  });
  return `${start};

/**
 * The shapes on the wire, with its names, for editors and checkers: \`@phpstan-import-type Payout from Schemas\`.
 * ${written}
 *
${aliases.join("\n")}
 * @phpstan-type DisburseEvent ${events.map(({ schema }) => schema).join("|")}
 */
final class Schemas
{
}
`;
}

function typeOf(shape: Shape, margin: string): string {
  const inner = (one: Shape) => typeOf(one, margin);
  if (shape.kind === "object") return objectOf(shape.fields, margin);
  if (shape.kind === "named") return shape.name;
  if (shape.kind === "words") return shape.words.map(text).join("|");
  if (shape.kind === "list") return `list<${inner(shape.items)}>`;
  if (shape.kind === "choice") return shape.of.map(inner).join("|");
  return simpleTypes[shape.kind];
}

function objectOf(fields: Field[], margin: string): string {
  const rows = fields.map(
    ({ name, shape, isRequired }) => `${name}${isRequired ? "" : "?"}: ${typeOf(shape, "")}`,
  );
  const line = `array{${rows.join(", ")}}`;
  if (margin === "" || line.length < 70) return line;
  return `array{\n${packed(rows, margin)}\n${margin.trimEnd()} }`;
}

/** As many fields in a line as there is space for: a type itself is never broken. */
function packed(rows: string[], margin: string): string {
  const lines: string[] = [];
  for (const row of rows.map((one) => `${one},`)) {
    const line = lines.at(-1);
    if (line && line.length + 1 + row.length <= width) lines[lines.length - 1] = `${line} ${row}`;
    else lines.push(margin + row);
  }
  return lines.join("\n");
}

const simpleTypes = {
  text: "string",
  integer: "int",
  boolean: "bool",
  null: "null",
  anything: "mixed",
  time: "\\DateTimeInterface|int|string",
  map: "array<string, mixed>",
};

const text = (words: string) => `'${words.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

function resourceFile(resource: string, methods: Method[]): string {
  const names = methods.flatMap(({ filter, body, result, kind }) => [
    ...(filter ? [filter.name] : []),
    ...(body ? namesIn(body.shape) : []),
    ...(kind === "feed" ? [] : namesIn(result)),
  ]);
  const kinds = methods.map(({ kind }) => kind);
  const uses = [
    "Disburse\\Connection",
    ...(kinds.includes("feed") ? ["Disburse\\Feed", "Disburse\\HeardEvent"] : []),
    ...(kinds.includes("list") ? ["Disburse\\PagedList"] : []),
    "Disburse\\Schemas",
    ...(methods.some(({ times }) => times.length > 0) ? ["Disburse\\Times"] : []),
  ];
  const imports = [...new Set(names)].map((name) => ` * @phpstan-import-type ${name} from Schemas`);
  return `${start}\\Resources;

${uses.map((name) => `use ${name};`).join("\n")}

/**
 * ${written}
 *
${imports.join("\n")}
 */
final class ${pascalCase(resource)}
{
    public function __construct(private readonly Connection $connection)
    {
    }

${methods.map(methodOf).join("\n\n")}
}
`;
}

const limits = ["?int $timeoutMs = null", "?int $maxRetries = null"];

function methodOf(method: Method): string {
  const { verb, kind, name, takesId, plainQuery, filter, body } = method;
  const given = [
    ...(takesId ? ["string $id"] : []),
    ...(plainQuery ? [`string $${plainQuery}`] : []),
    ...(filter ? [argument("filter", filter.isRequired)] : []),
    ...(body ? [argument(body.argument, body.isRequired)] : []),
  ];
  const options = verb === "post" ? ["?string $idempotencyKey = null", ...limits] : limits;
  const words = kind === "feed" ? ["?string $lastEventId = null"] : [...given, ...options];
  const [type, documented] = resultOf(method);
  const head = `    public function ${name}(${words.join(", ")}): ${type}`;
  const broken = `    public function ${name}(\n${words.map((word) => `        ${word},\n`).join("")}    ): ${type} {`;
  const documents = [
    ...(filter ? [`     * @param ${filter.name} $filter`] : []),
    ...(body ? [`     * @param ${typeOf(body.shape, "")} $${body.argument}`] : []),
    `     * @return ${documented}`,
  ];
  const about = wrap(method.about.replace(/([^.])$/, "$1."), "     * ", width);
  return [
    `    /**\n${about}\n     *\n${documents.join("\n")}\n     */`,
    head.length <= width ? `${head}\n    {` : broken,
    `        return ${callOf(method)};\n    }`,
  ].join("\n");
}

/** The type that PHP checks, and the one that checkers read. */
function resultOf({ kind, result }: Method): [type: string, documented: string] {
  if (kind === "feed") return ["\\Generator", "\\Generator<int, HeardEvent>"];
  if (kind === "list" && result.kind === "list")
    return ["PagedList", `PagedList<${typeOf(result.items, "")}>`];
  return ["array", typeOf(result, "")];
}

const argument = (name: string, isRequired: boolean) =>
  isRequired ? `array $${name}` : `array $${name} = []`;

function callOf({ verb, kind, path, plainQuery, filter, body, times }: Method): string {
  const address = path
    .split("{id}")
    .map((part) => (part ? text(part) : ""))
    .join(" . Connection::segment($id) . ")
    .replace(/ \. $/, "");
  if (kind === "feed") return `Feed::listen($this->connection, ${address}, $lastEventId)`;
  const timed = (value: string) =>
    times.length > 0 ? `Times::in(${value}, ${times.map(text).join(", ")})` : value;
  const value = body && timed(`$${body.argument}`);
  const content = body?.within ? `['${body.within}' => ${value}]` : (value ?? "[]");
  const query = filter
    ? timed("$filter")
    : plainQuery
      ? `['${plainQuery}' => $${plainQuery}]`
      : "[]";
  const words = {
    get: [address, query],
    post: [address, content, "$idempotencyKey"],
    ask: [address, content],
    patch: [address, content],
    delete: [address],
  }[verb];
  const name = kind === "list" || kind === "whole" ? kind : verb;
  const all = [...words, "$timeoutMs", "$maxRetries"];
  const line = `$this->connection->${name}(${all.join(", ")})`;
  if (line.length + 16 <= width) return line;
  return `$this->connection->${name}(\n${all.map((word) => `            ${word},\n`).join("")}        )`;
}
