// Serializes responses by their schemas, so fields that a schema does not name are never sent. A serializer is compiled
// at its first use: compiling all of them took a third of the start-up time. Routes and services of one process that share
// a schema share its serializer.

import fastJsonStringify, { type AnySchema } from "fast-json-stringify";
import type { FastifySerializerCompiler } from "fastify/types/schema.js";

type Write = (value: unknown) => string;

const compiled = new WeakMap<object, Write>();

export const serializerCompiler: FastifySerializerCompiler<AnySchema> = ({ schema }) => {
  let write: Write | undefined;
  return (value) => {
    write ??= writerOf(schema);
    return write(value);
  };
};

function writerOf(schema: AnySchema): Write {
  if (typeof schema === "boolean") return fastJsonStringify(schema);
  const write = compiled.get(schema) ?? fastJsonStringify(nullable(schema) as AnySchema);
  compiled.set(schema, write);
  return write;
}

/**
 * The same schema with `nullable` instead of unions with null. For a union, fast-json-stringify compiles a validator, and
 * validates each value to find its alternative.
 */
function nullable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(nullable);
  if (typeof schema !== "object" || schema === null) return schema;
  const { anyOf } = schema as { anyOf?: { type?: string; anyOf?: unknown }[] };
  const [one, ...more] = anyOf?.filter(({ type }) => type !== "null") ?? [];
  if (one?.type && more.length === 0) return { ...(nullable(one) as object), nullable: true };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, nullable(value)]));
}
