// An act is what a user or a command does: one function with its input, its permission and its audit entry, in the folder
// of its noun. Doors only carry it: the console, the command line and the API all do the same act.

import type { Static, TObject, TSchema } from "typebox";
import type { Caller, Clock, Mode } from "../../platform/base/index.ts";
import type { Db, Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { type Actor, type AuditNote, recordAct } from "../audit/index.ts";
import type { Permission, Session, User } from "../roles/index.ts";

export type ActParts = { db: Db; seal: Seal; clock: Clock };

/** Who does it, and in which subaccount. The door has proved both. */
export type ActBy = {
  actor: Actor;
  /** Of a user of the console. */
  session?: Session | undefined;
  user?: User | undefined;
  /** For long acts: whether session, permission and subaccount are unchanged. */
  stillMay?: (() => Promise<boolean>) | undefined;
  subaccount?: { id: string; mode: Mode; isClosed: boolean } | undefined;
  /** Of an API key. */
  caller?: Caller | undefined;
};

type Door = "api" | "console" | "cli";

/**
 * Which programs may do it besides a user in a browser. `logins`: only those that a user has signed in; approvals are among
 * these. `none`: it is about signing in. Undefined: those with an operator token, too.
 */
export type TokensOfAct = "none" | "logins";

/** A row of the table of acts. */
type ActRow = {
  /** The action in the audit log. */
  name: string;
  /** What it does, as the help of a command says it. */
  summary: string;
  /** The kind of object that its audit entry is about. */
  object: string;
  /** The permission that a user needs. */
  may: Permission;
  /** A user has to prove again who they are. */
  stepUp?: boolean;
  tokens?: TokensOfAct;
  /** The row of the table of four eyes (roles/money-acts.ts), where a second user may be needed. */
  twoPeople?: string;
  /** It works on the data of one subaccount. `open`: which must not be closed. */
  in?: "subaccount" | "open subaccount";
  doors: readonly Door[];
};

/** What `run` has. */
export type Doing = Pick<ActBy, "actor" | "session" | "user" | "caller"> &
  ActParts & {
    tx: Tx;
    /** Only of an act that works on the data of one (`in`). */
    subaccount: NonNullable<ActBy["subaccount"]>;
    /** The actor, as histories name it. */
    who: string;
    atMs: number;
  };

/** What was done, and its audit entry. */
type Done<Output> = {
  result: Output;
  /** Instead of the one entry: where there are several, or the kind of the object varies. */
  entries?: readonly AuditNote[];
  /** The id of the object. Undefined: nothing was changed, so there is no entry. */
  id?: string | undefined;
  before?: AuditNote["before"];
  after?: AuditNote["after"];
  /** Where the outcome decides: another action than the name of the act. */
  action?: string;
  /** If it differs from the actor's. */
  subaccountId?: string | undefined;
};

export type Act<
  Input extends TObject = TObject,
  Output = unknown,
  Parts = unknown,
  Given = unknown,
> = ActRow & {
  input: Input;
  /** The schema of a body that is checked beyond its form: all problems are reported at once. */
  given?: TObject | undefined;
  /** The schema of the result, where a door sends it. */
  output?: TSchema | undefined;
  perform(
    parts: ActParts & Parts,
    by: ActBy,
    input: Static<Input>,
    /** Of an act with a schema for it. */
    given?: Given,
  ): Promise<Output>;
};

type InOneTransaction<Input extends TObject, Output, Parts, Given> = ActRow & {
  input: Input;
  given?: TObject;
  output?: TSchema;
  run(doing: Doing & Parts, input: Static<Input>, given: Given): Promise<Done<Output>>;
};

/** The session of an act that only users do. */
export function userSession({ session }: Pick<ActBy, "session">): Session {
  if (!session) throw new Error("only a user who is signed in does this");
  return session;
}

/** An act in one transaction, which ends with its audit entry. */
export function act<Input extends TObject, Output, Parts = unknown, Given = unknown>(
  definition: InOneTransaction<Input, Output, Parts, Given>,
): Act<Input, Output, Parts, Given> {
  const { run, ...row } = definition;
  return call({
    ...row,
    perform: (parts, by, input, given) =>
      parts.db.transaction(async (tx) => {
        const { actor } = by;
        const { subaccount } = by as Pick<Doing, "subaccount">;
        const doing = { ...parts, ...by, subaccount, tx, who: actor.who, atMs: parts.clock() };
        const done = await run(doing, input, given as Given);
        for (const entry of entriesOf(row, done)) {
          await recordAct({ tx, seal: parts.seal }, actor, entry);
        }
        return done.result;
      }),
  });
}

function entriesOf(row: ActRow, done: Done<unknown>): readonly AuditNote[] {
  const { action = row.name, entries, id, before = {}, after = {}, subaccountId } = done;
  if (entries) return entries;
  if (id === undefined) return [];
  return [{ action, object: { kind: row.object, id }, before, after, subaccountId }];
}

/**
 * An act that needs more than one transaction: it asks outside first, or its work opens its transactions itself. `perform`
 * writes the audit entry in the transaction that decides, and checks there again what it has read before.
 */
export function call<Input extends TObject, Output, Parts, Given = unknown>(
  made: Act<Input, Output, Parts, Given>,
): Act<Input, Output, Parts, Given> {
  if (acts.has(made.name)) throw new Error(`two acts are called ${made.name}`);
  acts.set(made.name, made);
  return made;
}

const acts = new Map<string, ActRow>();

/** The table of acts: those that the process has loaded. */
export const knownActs = (): readonly ActRow[] => [...acts.values()];
