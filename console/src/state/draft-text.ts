// Reads the text of a kept draft. Pure.

type Value = string | null | readonly string[];
export type DraftFields = Record<string, Value>;

/** Undefined where nothing was typed, or where the draft can't be read. Keeps only what the form can hold. */
export function readDraft<Fields extends DraftFields>(
  text: string | null,
  blank: Fields,
  unkept: readonly (keyof Fields)[] = [],
): Partial<Fields> | undefined {
  try {
    const kept = JSON.parse(text ?? "null") as DraftFields | null;
    const known = Object.entries(kept ?? {}).filter(
      ([key, value]) =>
        key in blank &&
        !unkept.includes(key) &&
        isOfKind(value, blank[key]) &&
        !isSame(value, blank[key] as Value),
    );
    return known.length > 0 ? (Object.fromEntries(known) as Partial<Fields>) : undefined;
  } catch {
    return undefined;
  }
}

function isOfKind(value: unknown, like: Value | undefined): boolean {
  if (Array.isArray(like))
    return Array.isArray(value) && value.every((one) => typeof one === "string");
  return typeof value === "string" || (value === null && like === null);
}

export function isSame(value: Value | undefined, other: Value | undefined): boolean {
  return JSON.stringify(value) === JSON.stringify(other);
}
