// The schemas of openapi.json as shapes, which each language writes as its own types.

export type Shape =
  | { kind: "text" | "integer" | "boolean" | "null" | "anything" | "time" }
  | { kind: "words"; words: string[] }
  | { kind: "list"; items: Shape }
  | { kind: "map" }
  | { kind: "object"; fields: Field[] }
  | { kind: "named"; name: string }
  | { kind: "choice"; of: Shape[] };

export type Field = { name: string; shape: Shape; isRequired: boolean };

export type Schema = {
  $ref?: string;
  type?: string;
  const?: string;
  enum?: string[];
  pattern?: string;
  maximum?: number;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  deprecated?: boolean;
};

export function shapeOf(schema: Schema): Shape {
  if (schema.$ref) return { kind: "named", name: schema.$ref.split("/").at(-1) as string };
  if (isTime(schema)) return { kind: "time" };
  if (schema.const !== undefined) return { kind: "words", words: [schema.const] };
  if (schema.enum) return { kind: "words", words: schema.enum };
  if (schema.anyOf) return choiceOf(schema.anyOf.map(shapeOf));
  if (schema.items) return { kind: "list", items: shapeOf(schema.items) };
  if (schema.properties) return { kind: "object", fields: fieldsOf(schema) };
  if (schema.type === "object") return { kind: "map" };
  if (schema.type === "string") return { kind: "text" };
  if (schema.type === "integer" || schema.type === "boolean" || schema.type === "null")
    return { kind: schema.type };
  return { kind: "anything" };
}

/** Misspelt aliases of published fields are left out: clients send the right name. */
export function fieldsOf({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties)
    .filter(([, schema]) => !schema.deprecated)
    .map(([name, schema]) => ({
      name,
      shape: shapeOf(schema),
      isRequired: required.includes(name),
    }));
}

/** Milliseconds since the Unix epoch that a caller sends: clients also take the language's own times. */
function isTime({ pattern, anyOf = [] }: Schema): boolean {
  return [pattern, ...anyOf.map((one) => one.pattern)].includes("^\\d{1,15}$");
}

/** The words of several alternatives are one alternative. */
function choiceOf(shapes: Shape[]): Shape {
  const words = shapes.flatMap((shape) => (shape.kind === "words" ? shape.words : []));
  const others = shapes.filter(({ kind }) => kind !== "words");
  const of: Shape[] = words.length > 0 ? [{ kind: "words", words }, ...others] : others;
  return of.length === 1 ? (of[0] as Shape) : { kind: "choice", of };
}

/** The names of schemas that a shape needs. */
export function namesIn(shape: Shape): string[] {
  if (shape.kind === "named") return [shape.name];
  if (shape.kind === "list") return namesIn(shape.items);
  if (shape.kind === "object") return shape.fields.flatMap((field) => namesIn(field.shape));
  return shape.kind === "choice" ? shape.of.flatMap(namesIn) : [];
}
