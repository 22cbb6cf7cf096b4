// Actors are named by email. Users who may not read the audit log, such as developers of another company, see
// "operator" instead, except for their own name.

import { Readable } from "node:stream";
import { type Actor, isPerson } from "../../tenants/audit/index.ts";
import { may, type User } from "../../tenants/roles/index.ts";

/** Without a user: an API key. */
type Reader = { user?: User | undefined; actor: Pick<Actor, "who"> };

const masked = "operator";
const named = /operator:[^\s,"]+@[^\s,"]+|command:[^\s,"]+(?: as [^,"\n]+)?/g;

/** Undefined if the user may see all names. */
function maskFor(reader: Reader | null): ((text: string) => string) | undefined {
  if (!reader || (reader.user && may(reader.user, "audit.read"))) return undefined;
  return (text) => text.replace(named, (who) => (who === reader.actor.who ? who : masked));
}

/** The same in a text. */
export function textWithoutNames(reader: Reader | null, text: string): string {
  return maskFor(reader)?.(text) ?? text;
}

/** Hides the emails of others in a response. */
export function withoutNames(reader: Reader | null, payload: unknown): unknown {
  const mask = maskFor(reader);
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return isPerson(value) ? mask?.(value) : value;
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one)]));
  };
  return mask ? walk(payload) : payload;
}

/** The same for a file that is written in chunks of whole lines. */
export function linesWithoutNames(reader: Reader | null, lines: Readable): Readable {
  const mask = maskFor(reader);
  if (!mask) return lines;
  return Readable.from(
    (async function* () {
      for await (const piece of lines) yield mask(String(piece));
    })(),
  );
}
