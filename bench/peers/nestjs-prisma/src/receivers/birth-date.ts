// The rule about a date of birth: a real date, 16 to 120 years ago.

import { ValidateBy, type ValidationOptions } from "class-validator";

const pattern = /^(\d{4})-(\d{2})-(\d{2})$/;

export function IsBirthDate(options: ValidationOptions): PropertyDecorator {
  return ValidateBy({ name: "isBirthDate", validator: { validate: isBirthDate } }, options);
}

function isBirthDate(value: unknown): boolean {
  if (typeof value !== "string" || !pattern.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  // A day that the month lacks would become a day of the next month.
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(value.slice(8))) return false;
  return date <= yearsAgo(16) && date >= yearsAgo(120);
}

function yearsAgo(years: number): Date {
  const date = new Date();
  date.setUTCFullYear(date.getUTCFullYear() - years);
  return date;
}
