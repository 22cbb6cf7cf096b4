// Amounts in minor units: a whole number, or a string of digits.

import { ValidateBy, type ValidationOptions } from "class-validator";

const digits = /^[1-9]\d{0,15}$/;

export function IsAmount(options: ValidationOptions): PropertyDecorator {
  return ValidateBy({ name: "isAmount", validator: { validate: isAmount } }, options);
}

function isAmount(value: unknown): boolean {
  if (typeof value === "string") return digits.test(value) && Number.isSafeInteger(Number(value));
  return Number.isSafeInteger(value) && (value as number) > 0;
}
