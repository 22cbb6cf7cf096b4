// What goes out is written by its schema: fields that it doesn't name never leave. A writer is compiled when it is
// first needed: to compile them all was a third of what the app took to be assembled.

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
