// Reads the address of a database, which may name several servers: postgres://user:password@a:5432,b:5432/database.

export type DatabaseAddress = {
  /** The same address once for each server. */
  servers: [string, ...string[]];
  /** Settings of the session, as `-c name=value`. The driver would let them replace ours, so they are read apart. */
  options: string;
};

/** Undefined when the text is no address of PostgreSQL. */
export function readDatabaseUrl(text: string): DatabaseAddress | undefined {
  const parts = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/s.exec(text);
  if (!parts) return undefined;
  const [, scheme, authority = "", rest] = parts;
  // A password may hold a comma.
  const at = authority.lastIndexOf("@") + 1;
  const hosts = authority.slice(at).split(",");
  if (hosts.length > 1 && hosts.includes("")) return undefined;
  const texts = hosts.map((host) => `${scheme}${authority.slice(0, at)}${host}${rest}`);
  if (!texts.every((one) => URL.canParse(one))) return undefined;
  const urls = texts.map((one) => new URL(one));
  const options = urls[0]?.searchParams.getAll("options").join(" ") ?? "";
  for (const { searchParams } of options ? urls : []) searchParams.delete("options");
  const servers = options ? urls.map(({ href }) => href) : texts;
  return { servers: servers as DatabaseAddress["servers"], options };
}
