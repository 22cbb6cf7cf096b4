// The template of the client in Python: schemas.py has a TypedDict for each schema, resources.py a class for each resource.

import { type Method, type Model, resourcesOf, type Shared } from "./operations.ts";
import type { Field, Shape } from "./shapes.ts";
import { pascalCase, snakeCase, wrap } from "./text.ts";

const width = 120;
const folder = "clients/python/src/disburse";
const written = "Written by npm run generate, from openapi.json.";
/** Words of Python that can't name a field of a class. */
const reserved = ["from"];

export function pythonFiles(model: Model, shared: Shared): Record<string, string> {
  return {
    [`${folder}/schemas.py`]: schemasFile(model),
    [`${folder}/tables.py`]: tablesFile(model, shared),
    [`${folder}/resources.py`]: resourcesFile(model),
  };
}

function tablesFile({ events }: Model, shared: Shared): string {
  const { version, classByCode, classByStatus, webhookCures } = shared;
  const rows = (table: Record<string, string>, keyOf: (key: string) => string = literal) =>
    Object.entries(table).map(([key, value]) => {
      const row = `    ${keyOf(key)}: ${literal(value.replaceAll("toleranceS", "tolerance_s"))},`;
      return row.length > width ? `${row}  # noqa: E501` : row;
    });
  return `"""What all clients share: the version, and tables of errors and events. Written by npm run generate."""

from __future__ import annotations

from typing import Dict

VERSION = ${literal(version)}

EVENT_TYPES = (
${events.map(({ type }) => `    ${literal(type)},`).join("\n")}
)

CLASS_BY_CODE: Dict[str, str] = {
${rows(classByCode).join("\n")}
}

CLASS_BY_STATUS: Dict[int, str] = {
${rows(classByStatus, (key) => key).join("\n")}
}

WEBHOOK_CURES: Dict[str, str] = {
${rows(webhookCures).join("\n")}
}
`;
}

function schemasFile({ types, events }: Model): string {
  const classes: string[] = [];
  for (const [name, fields] of types) writeType(name, fields, { classes, events });
  return `"""The shapes on the wire, with its names. ${written}"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

Time = Union[datetime, int, str]
"""A datetime with its zone, milliseconds since the Unix epoch, or ISO 8601."""

EventType = Literal[
${events.map(({ type }) => `    ${literal(type)},`).join("\n")}
]


${classes.join("\n\n")}

DisburseEvent = Union[
${events.map(({ schema }) => `    ${schema},`).join("\n")}
]
`;
}

type Writing = { classes: string[]; events: Model["events"] };

/** Optional fields are in a subclass: before Python 3.11, a TypedDict has fields of one kind. */
function writeType(name: string, fields: Field[], writing: Writing): void {
  const lineOf = ({ name: field, shape }: Field) =>
    [field, typeOf(shape, name + pascalCase(field), writing)] as const;
  const required = fields.filter((field) => field.isRequired).map(lineOf);
  const optional = fields.filter((field) => !field.isRequired).map(lineOf);
  const { classes } = writing;
  if (fields.length === 0) classes.push(`${name} = Dict[str, Any]\n`);
  else if (optional.length === 0) classes.push(classOf(name, "TypedDict", required));
  else if (required.length === 0) classes.push(classOf(name, "TypedDict, total=False", optional));
  else {
    classes.push(classOf(`_${name}`, "TypedDict", required));
    classes.push(classOf(name, `_${name}, total=False`, optional));
  }
}

type Line = readonly [name: string, type: string];

function classOf(name: string, base: string, lines: Line[]): string {
  const plain = lines.filter(([field]) => !reserved.includes(field));
  const odd = lines.filter(([field]) => reserved.includes(field));
  const rows = plain.map(([field, type]) => `    ${field}: ${type}`);
  if (odd.length === 0) return `class ${name}(${base}):\n${rows.join("\n")}\n`;
  // Only the other syntax can name such a field. Its types are text, as annotations are.
  const total = base.includes("total=False") ? ", total=False" : "";
  const given = base.split(",")[0] as string;
  const fields = odd.map(([field, type]) => `${literal(field)}: ${literal(type)}`).join(", ");
  const inner = `_${name.replace(/^_/, "")}${total ? "Optional" : "Required"}Words`;
  const words = `${inner} = TypedDict(${literal(inner)}, {${fields}}${total})\n`;
  const bases = given === "TypedDict" ? inner : `${inner}, ${given}`;
  const body = rows.length > 0 ? rows.join("\n") : "    pass";
  return `${words}\n\nclass ${name}(${bases}${total}):\n${body}\n`;
}

/** A nested object becomes a class with the name of its place. */
function typeOf(shape: Shape, place: string, writing: Writing): string {
  const inner = (one: Shape) => typeOf(one, place, writing);
  if (shape.kind === "object") {
    writeType(place, shape.fields, writing);
    return place;
  }
  if (shape.kind === "named") return shape.name;
  if (shape.kind === "words") {
    const isEventType = shape.words.join() === writing.events.map(({ type }) => type).join();
    return isEventType ? "EventType" : `Literal[${shape.words.map(literal).join(", ")}]`;
  }
  if (shape.kind === "list") return `List[${inner(shape.items)}]`;
  if (shape.kind !== "choice") return simpleTypes[shape.kind];
  const names = shape.of.map((one) => (one.kind === "named" ? one.name : ""));
  if (names.join() === writing.events.map(({ schema }) => schema).join()) return "DisburseEvent";
  const others = shape.of.filter(({ kind }) => kind !== "null").map(inner);
  const type = others.length === 1 ? others[0] : `Union[${others.join(", ")}]`;
  return others.length < shape.of.length ? `Optional[${type}]` : (type as string);
}

const simpleTypes = {
  text: "str",
  integer: "int",
  boolean: "bool",
  null: "None",
  anything: "Any",
  time: "Time",
  map: "Dict[str, Any]",
};

const literal = (text: string) => JSON.stringify(text);

function resourcesFile(model: Model): string {
  const resources = [...resourcesOf(model)].map(
    ([resource, methods]) =>
      `class ${pascalCase(resource)}(Resource):\n${methods.map(methodOf).join("\n\n")}\n`,
  );
  return `"""The operations, a class for each resource. ${written}"""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Optional, cast

from . import schemas
from ._connection import Resource, segment
from ._feed import HeardEvent, listen
from ._paged_list import PagedList
from ._times import with_times

${resources.map((text) => `\n${text}`).join("\n")}`;
}

const limits = ["timeout_ms: Optional[float] = None", "max_retries: Optional[int] = None"];

function methodOf(method: Method): string {
  const { verb, kind, takesId, plainQuery, filter, body } = method;
  const given = [
    ...(takesId ? ["id: str"] : []),
    ...(plainQuery ? [`${plainQuery}: str`] : []),
    ...(filter ? [argument("filter", `schemas.${filter.name}`, filter.isRequired)] : []),
    ...(body ? [argument(snakeCase(body.argument), ofSchemas(body.shape), body.isRequired)] : []),
  ];
  const options = verb === "post" ? ["idempotency_key: Optional[str] = None", ...limits] : limits;
  const words =
    kind === "feed"
      ? ["self", "last_event_id: Optional[str] = None"]
      : ["self", ...given, "*", ...options];
  const start = `    def ${snakeCase(method.name)}(`;
  const end = `) -> ${resultOf(method)}:`;
  const line = start + words.join(", ") + end;
  const lines = `${start}\n${words.map((word) => `        ${word},\n`).join("")}    ${end}`;
  const about = wrap(`"""${method.about.replace(/([^.])$/, "$1.")}`, "        ", width - 3);
  return `${line.length <= width ? line : lines}\n${about}"""\n${callOf(method)}`;
}

function resultOf({ kind, result }: Method): string {
  if (kind === "feed") return "Iterator[HeardEvent]";
  const isPaged = kind === "list" && result.kind === "list";
  return isPaged ? `PagedList[${ofSchemas(result.items)}]` : ofSchemas(result);
}

const argument = (name: string, type: string, isRequired: boolean) =>
  isRequired ? `${name}: ${type}` : `${name}: Optional[${type}] = None`;

function callOf(method: Method): string {
  const { verb, kind, path, plainQuery, filter, body, times } = method;
  const address = path.includes("{id}")
    ? `f"${path.replace("{id}", "{segment(id)}")}"`
    : `"${path}"`;
  if (kind === "feed") return `        return listen(self._connection, ${address}, last_event_id)`;
  const timed = (value: string) =>
    times.length > 0 ? `with_times(${value}, ${times.map(literal).join(", ")})` : value;
  const content = body ? contentOf(body.within, timed(snakeCase(body.argument))) : "{}";
  const query = filter ? timed("filter") : plainQuery ? `{"${plainQuery}": ${plainQuery}}` : "None";
  const words = {
    get: [address, query],
    post: [address, content, "idempotency_key"],
    ask: [address, content],
    patch: [address, content],
    delete: [address],
  }[verb];
  const all = [...words, "timeout_ms", "max_retries"].join(", ");
  if (kind === "list") return `        return self._connection.list(${all})`;
  const call = `self._connection.${kind === "whole" ? "whole" : verb}(${all})`;
  const line = `        return cast("${resultOf(method)}", ${call})`;
  if (line.length <= width) return line;
  return `        payload = ${call}\n        return cast("${resultOf(method)}", payload)`;
}

const contentOf = (within: string | undefined, value: string) =>
  within ? `{"${within}": ${value}}` : value;

function ofSchemas(shape: Shape): string {
  if (shape.kind === "named") return `schemas.${shape.name}`;
  return shape.kind === "list" ? `List[${ofSchemas(shape.items)}]` : "Any";
}
