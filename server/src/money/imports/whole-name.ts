// Splits the whole name of a person into first and last name, for the user to confirm.

import { legalFormAt } from "../../../../packages/name-matching/src/index.ts";
import type { Fields } from "../../platform/fields/index.ts";
import type { FieldProblem } from "./import-rows.ts";

type Parts = { first_name: string; last_name: string };

/** The last name is the last word, with the words before it that belong to it: "van der Berg". */
const inOrder =
  /^(.+?)\s+((?:(?:van|von|der|den|de|del|della|di|da|dos|du|la|le|el|al|bin|ter|zu)\s+)*\S+)$/i;
/** "Berg, Anna" */
const turned = /^([^,]+),\s*([^,]+)$/;

/** Undefined for a name of one word, and for that of a business. */
export function splitName(whole: string): Parts | undefined {
  if (isBusinessName(whole)) return undefined;
  const [, last, first] = turned.exec(whole) ?? [];
  if (last && first) return { first_name: first, last_name: last };
  const [, before, after] = inOrder.exec(whole) ?? [];
  return before && after ? { first_name: before, last_name: after } : undefined;
}

/** Whether it ends with a legal form, such as Pty Ltd. */
function isBusinessName(whole: string): boolean {
  const words = whole.toLowerCase().replace(/[.,]/g, "").split(/\s+/);
  const endsAt = (start: number) => start + (legalFormAt(words, start)?.count ?? -1);
  return words.some((_, start) => start > 0 && endsAt(start) === words.length);
}

const byHand = "Write the person's first and last name. A business has B as account_type";

/** Offers the parts of a whole name where the row has none. It is never split without the user. */
export function withSplitName(
  problems: readonly FieldProblem[],
  { first_name, last_name }: Fields,
  whole: string,
): FieldProblem[] {
  const given: Partial<Record<string, unknown>> = { first_name, last_name };
  const rest = whole.replace(String(first_name ?? ""), "").trim();
  const parts: Partial<Record<string, string>> | undefined =
    first_name && rest !== "" ? { last_name: rest } : splitName(whole);
  return problems.map((problem) => {
    const { field = "" } = problem;
    if (whole === "" || !(field in given) || given[field]) return problem;
    const message = `“${whole}” is a whole name`;
    const suggestion = parts?.[field];
    if (suggestion === undefined) return { ...problem, message, cure: byHand };
    const words = field === "first_name" ? "first name" : "last name";
    return { ...problem, message, cure: `Confirm that the ${words} is ${suggestion}`, suggestion };
  });
}
