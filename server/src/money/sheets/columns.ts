// Which column of a file is which field: by the names that people give columns, by what a user chose, and by what was chosen
// for the file before.

/** What the values of a field are, which decides how a cell is read. */
export type FieldKind = "text" | "id" | "amount" | "currency" | "day" | "flag" | "number";

export type SheetField = {
  name: string;
  kind: FieldKind;
  isRequired: boolean;
  /** Other names for its column, separated by "|". */
  words: string;
};

/** Which column has each field, from 0. */
export type ColumnPlaces = Readonly<Record<string, number>>;

/** Lower case, without accents and punctuation: "Receiver_ID" and "receiver id" are the same. */
export function plainName(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/ß/g, "ss")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Every name that a column of these fields can have. */
export function wordsOf(fields: readonly SheetField[]): Map<string, string> {
  const words = new Map<string, string>();
  // The first field that has a word keeps it, and a field's own name always counts.
  for (const { name } of fields) words.set(plainName(name), name);
  for (const { name, words: others } of fields) {
    for (const word of others.split("|")) {
      const plain = plainName(word);
      if (plain !== "" && !words.has(plain)) words.set(plain, name);
    }
  }
  return words;
}

/** `remembered`: the name of the column that each field had last time. */
export function detectColumns(
  header: readonly string[],
  fields: readonly SheetField[],
  remembered: Readonly<Record<string, string>> = {},
): ColumnPlaces {
  const names = header.map(plainName);
  const words = wordsOf(fields);
  const places: Record<string, number> = {};
  const taken = new Set<number>();
  const take = (field: string, place: number) => {
    if (place === -1 || taken.has(place) || field in places) return;
    places[field] = place;
    taken.add(place);
  };
  for (const { name } of fields) {
    const before = remembered[name];
    if (before !== undefined) take(name, names.indexOf(before));
  }
  for (const [place, name] of names.entries()) {
    const field = words.get(name);
    if (field !== undefined) take(field, place);
  }
  return places;
}

/** The columns by their names, to find them in the next file. A name that comes twice finds none. */
export function namesOfColumns(
  header: readonly string[],
  places: ColumnPlaces,
): Record<string, string> {
  const names = header.map(plainName);
  const unique = Object.entries(places).flatMap(([field, place]) => {
    const name = names[place] ?? "";
    return name !== "" && names.indexOf(name) === names.lastIndexOf(name) ? [[field, name]] : [];
  });
  return Object.fromEntries(unique);
}
