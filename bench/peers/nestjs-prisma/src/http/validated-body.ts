// A pipe that checks a body by the decorators of its class, and refuses it with the codes that they carry as messages.

import { ValidationPipe } from "@nestjs/common";
import type { ValidationError } from "class-validator";
import { type Code, Refusal } from "./problem.ts";

export function validatedBody({ unknownField }: { unknownField: Code }): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    validationError: { target: false, value: false },
    exceptionFactory: (errors: ValidationError[]) =>
      new Refusal(
        ...errors.map(({ property, constraints = {} }) => ({
          code: codeOf(constraints, unknownField),
          field: property,
        })),
      ),
  });
}

/** A missing field breaks every rule about it. Only that it is missing is worth saying. */
function codeOf(constraints: Record<string, string>, unknownField: Code): Code {
  if (constraints.whitelistValidation) return unknownField;
  const { isDefined, isNotEmpty } = constraints;
  return (isDefined ?? isNotEmpty ?? Object.values(constraints)[0]) as Code;
}
