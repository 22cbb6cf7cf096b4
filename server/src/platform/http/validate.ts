// Validates requests by their schemas. A check is compiled at its first use.

import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { type Check, checkOf, FieldRefusal, type Fields } from "../fields/index.ts";
import { limits } from "../limits/index.ts";

export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === "params") return (value: unknown) => ({ value });
  let check: Check | undefined;
  return (value: unknown) => {
    check ??= checkOf(schema);
    const { fields, problems } = check((value ?? {}) as Fields);
    const [first, ...rest] = problems;
    if (!first) return { value: fields };
    return { error: new FieldRefusal([first, ...rest.slice(0, limits.problemsMax - 1)], fields) };
  };
};
