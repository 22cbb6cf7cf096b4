// Names an actor in words: an API key, a user, a command, an identity check, a bank or the service. Pure.

/** The names of actors. */
export type Names = {
  /** The name of each API key. */
  keys: ReadonlyMap<string, string>;
  /** Whether users are named, or only called an operator. */
  showsUsers: boolean;
};

export function actorInWords(who: string, { keys, showsUsers }: Names): string {
  const [kind, name] = split(who);
  if (kind === "key") return keyInWords(keys.get(name), name);
  if (kind === "operator") return showsUsers ? name : "an operator";
  if (kind === "command") return showsUsers ? commandInWords(name) : "an operator";
  if (kind === "provider") return `the identity check (${name})`;
  // A bank connection is named by its id.
  if (kind === "rail") return name.startsWith("bank:") ? "the bank" : `the bank (${name})`;
  return who === "service" ? "Disburse" : who;
}

function keyInWords(called: string | undefined, key: string): string {
  return called === undefined ? `API key ${key.slice(0, 12)}…` : `API key “${called}”`;
}

function commandInWords(name: string): string {
  const [systemUser, ...claimed] = name.split(" as ");
  return claimed.length === 0
    ? `${systemUser} (command line)`
    : `${systemUser} (command line, gave the name “${claimed.join(" as ")}”)`;
}

function split(who: string): [kind: string, name: string] {
  const colon = who.indexOf(":");
  return colon < 0 ? ["", who] : [who.slice(0, colon), who.slice(colon + 1)];
}
