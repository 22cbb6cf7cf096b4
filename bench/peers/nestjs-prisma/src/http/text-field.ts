// Decorators for the text fields of a body. The message of each rule is the code of the interface.

import { applyDecorators } from "@nestjs/common";
import { IsDefined, IsNotEmpty, IsOptional, Matches } from "class-validator";
import type { Code } from "./problem.ts";

type TextField = {
  /** Absent: the field is optional. */
  missing?: Code;
  invalid: Code;
  pattern: RegExp;
  /** The field must be sent, and may be empty. */
  mayBeEmpty?: boolean;
};

export function TextField({
  missing,
  invalid,
  pattern,
  mayBeEmpty = false,
}: TextField): PropertyDecorator {
  const presence = mayBeEmpty ? IsDefined : IsNotEmpty;
  return applyDecorators(
    missing === undefined ? IsOptional() : presence({ message: missing }),
    Matches(pattern, { message: invalid }),
  );
}
