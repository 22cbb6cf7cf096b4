// Names for prepared statements, so that PostgreSQL parses and plans each text once per connection. The adapter
// prepares nothing unless it is given names.

const namesMax = 500;
const names = new Map<string, string>();

/** An empty name, which is not kept, for further texts: a list of changing length makes a new one each time. */
export function nameOfStatement({ sql }: { sql: string }): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  if (names.size >= namesMax) return "";
  const name = `s${names.size}`;
  names.set(sql, name);
  return name;
}
