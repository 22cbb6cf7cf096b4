// Which column of a file is which field: by the names that people give columns, by what a user chose, and by what was chosen
// for the file before.

/** What the values of a field are, which decides how a cell is read. */
export type FieldKind =
  | "text"
  | "id"
  | "amount"
  | "currency"
  | "day"
  | "flag"
  | "number"
  | "country";

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

/** What a column is, by its plain name: a field, or nothing that is read. */
export type KnownColumns = Readonly<Record<string, string>>;

export const notRead = "-";

/** `remembered`: what columns were in the files before. */
export function detectColumns(
  header: readonly string[],
  fields: readonly SheetField[],
  remembered: KnownColumns = {},
): ColumnPlaces {
  const names = header.map(plainName);
  const words = wordsOf(fields);
  const known = new Set(fields.map(({ name }) => name));
  const places: Record<string, number> = {};
  const take = (place: number, field: string | undefined) => {
    if (field !== undefined && known.has(field)) places[field] ??= place;
  };
  for (const [place, name] of names.entries()) take(place, remembered[name]);
  for (const [place, name] of names.entries()) {
    if (remembered[name] === undefined) take(place, words.get(name));
  }
  return places;
}

/** The first row may be no header, but data of a person: what looks like it is not remembered. */
const likeData = /@|\d{3}/;

/** What each column is, for the next file. A name that comes twice says nothing. */
export function knownColumnsOf(header: readonly string[], places: ColumnPlaces): KnownColumns {
  const names = header.map(plainName);
  const fieldAt = new Map(Object.entries(places).map(([field, place]) => [place, field]));
  const unique = [...names.entries()].filter(
    ([place, name]) =>
      name !== "" &&
      !likeData.test(header[place] ?? "") &&
      names.indexOf(name) === place &&
      names.lastIndexOf(name) === place,
  );
  return Object.fromEntries(unique.map(([place, name]) => [name, fieldAt.get(place) ?? notRead]));
}
