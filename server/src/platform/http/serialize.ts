// Serializes responses by their schemas, so fields that a schema does not name are never sent. A serializer is compiled
// at its first use: compiling all of them took a third of the start-up time.

import fastJsonStringify, { type AnySchema } from "fast-json-stringify";
import type { FastifySerializerCompiler } from "fastify/types/schema.js";

type Write = (value: unknown) => string;

export const serializerCompiler: FastifySerializerCompiler<AnySchema> = ({ schema }) => {
  let write: Write | undefined;
  return (value) => {
    write ??= fastJsonStringify(schema);
    return write(value);
  };
};
