// The operations of openapi.json as methods of a client: under which name, with which arguments and result.

import { clientFaces as faces } from "../../server/src/doors/app/site/client-calls.ts";
import { type Field, fieldsOf, namesIn, type Schema, type Shape, shapeOf } from "./shapes.ts";

export type Method = {
  resource: string;
  name: string;
  about: string;
  verb: "get" | "post" | "ask" | "patch" | "delete";
  /** With `{id}` for the id. */
  path: string;
  takesId: boolean;
  /** The only parameter of the query, which is a plain argument. */
  plainQuery: string | undefined;
  filter: { name: string; isRequired: boolean } | undefined;
  body: Body | undefined;
  /** Fields of the filter or the body that are times. */
  times: string[];
  result: Shape;
  /** A list is fetched page by page, `whole` fetches the pages of one list in an object, a feed does not end. */
  kind: "one" | "list" | "whole" | "feed";
};

/** `within`: the argument is the only field of the body. */
type Body = { argument: string; shape: Shape; isRequired: boolean; within?: string };

/** `events`: the type of each event, and the schema of its body. */
export type Model = {
  methods: Method[];
  types: Map<string, Field[]>;
  events: { type: string; schema: string }[];
};

/** What the clients share with the TypeScript client: tables that are written there. */
export type Shared = {
  version: string;
  classByCode: Record<string, string>;
  classByStatus: Record<string, string>;
  webhookCures: Record<string, string>;
};

type Content = { content: Record<string, { schema: Schema }> };
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: {
    in: string;
    name: string;
    required: boolean;
    schema: Schema;
  }[];
  requestBody?: Content & { required: boolean };
  responses: { 200: Content };
};
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { requestBody: Content } }>;
  components: { schemas: Record<string, Schema> };
};

const jsonOf = ({ content }: Content): Schema => content["application/json"]?.schema ?? {};

export function readModel(document: OpenApi): Model {
  const { schemas } = document.components;
  const types = new Map<string, Field[]>();
  const methods = Object.entries(document.paths).flatMap(([path, operations]) => {
    if (!path.startsWith("/api/")) return [];
    return Object.entries(operations).map(([verb, operation]) =>
      readMethod(path, verb, operation, { schemas, types }),
    );
  });
  const events = Object.entries(document.webhooks).map(([type, { post }]) => ({
    type,
    schema: namesIn(shapeOf(jsonOf(post.requestBody)))[0] as string,
  }));
  const needed = methods.flatMap(({ body, result }) => [
    ...namesIn(result),
    ...(body ? namesIn(body.shape) : []),
  ]);
  for (const name of [...needed, ...events.map(({ schema }) => schema)])
    addType(name, schemas, types);
  return { methods, types, events };
}

type Types = { schemas: Record<string, Schema>; types: Map<string, Field[]> };

function readMethod(path: string, verb: string, operation: Operation, types: Types): Method {
  const { operationId, summary, description, parameters = [], requestBody } = operation;
  const face = faces[operationId];
  if (!face) throw new Error(`${operationId} has no row in clients/generator/operations.ts`);
  const [resource = "", name = ""] = face.split(".");
  const query = parameters.filter((one) => one.in === "query");
  const isPaged = query.some((one) => one.name === "cursor");
  const payload = jsonOf(operation.responses[200]).properties?.payload;
  const result = payload ? shapeOf(payload) : ({ kind: "anything" } as const);
  const isFeed = "text/event-stream" in operation.responses[200].content;
  const pagedKind = result.kind === "list" ? "list" : "whole";
  const kind = isFeed ? "feed" : isPaged ? pagedKind : "one";
  const plainQuery = query.length === 1 && query[0]?.required ? query[0].name : undefined;
  const inFilter = query.filter((one) => kind !== "whole" || !/^(limit|cursor)$/.test(one.name));
  const fields = fieldsOf({
    properties: Object.fromEntries(inFilter.map((one) => [one.name, one.schema])),
    required: inFilter.filter((one) => one.required).map((one) => one.name),
  });
  let filter: Method["filter"];
  if (isPaged) {
    const filterName = `${operationId.replace(/^[a-z]+/, "")}Filter`;
    types.types.set(filterName, fields);
    filter = { name: filterName, isRequired: fields.some(({ isRequired }) => isRequired) };
  }
  const body = requestBody && readBody(requestBody, types.schemas);
  const bodyFields = body?.shape.kind === "named" ? types.schemas[body.shape.name] : undefined;
  const times = [...fields, ...fieldsOf(bodyFields ?? {})].filter(
    ({ shape }) => shape.kind === "time",
  );
  const takesKey = parameters.some((one) => one.name === "idempotency-key");
  return {
    resource,
    name,
    about: [summary, description].filter(Boolean).join(". "),
    verb: (verb === "post" && !takesKey ? "ask" : verb) as Method["verb"],
    path,
    takesId: path.includes("{id}"),
    plainQuery,
    filter,
    body,
    times: times.map((field) => field.name),
    result,
    kind,
  };
}

/** Undefined for a body without fields. */
function readBody(
  requestBody: Content & { required: boolean },
  schemas: Record<string, Schema>,
): Body | undefined {
  const shape = shapeOf(jsonOf(requestBody));
  const name = namesIn(shape)[0] as string;
  const fields = fieldsOf(schemas[name] ?? {});
  const [first] = fields;
  if (!first) return undefined;
  const { required: isRequired } = requestBody;
  // The metadata of a payout batch is no argument.
  const others = fields.filter((one) => one !== first && one.name !== "metadata");
  if (others.length === 0 && first.isRequired)
    return { argument: first.name, shape: first.shape, isRequired, within: first.name };
  return { argument: name.charAt(0).toLowerCase() + name.slice(1), shape, isRequired };
}

function addType(name: string, schemas: Record<string, Schema>, types: Map<string, Field[]>): void {
  if (types.has(name)) return;
  const fields = fieldsOf(schemas[name] ?? {});
  types.set(name, fields);
  for (const inner of fields.flatMap(({ shape }) => namesIn(shape))) addType(inner, schemas, types);
}

/** Methods by resource, in the order of the table of faces. */
export function resourcesOf({ methods }: Model): Map<string, Method[]> {
  const order = Object.values(faces);
  const placeOf = ({ resource, name }: Method) => order.indexOf(`${resource}.${name}`);
  const sorted = methods.toSorted((one, other) => placeOf(one) - placeOf(other));
  return Map.groupBy(sorted, ({ resource }) => resource);
}
