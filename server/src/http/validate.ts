// What comes in is checked by its schema, before a route sees it.

import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { checkOf } from "../field-check.ts";
import { FieldRefusal, type Fields } from "../fields.ts";
import { limits } from "../limits.ts";

export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === "params") return (value: unknown) => ({ value });
  const check = checkOf(schema);
  return (value: unknown) => {
    const { fields, problems } = check((value ?? {}) as Fields);
    const [first, ...rest] = problems;
    if (!first) return { value: fields };
    return { error: new FieldRefusal([first, ...rest.slice(0, limits.problemsMax - 1)], fields) };
  };
};
