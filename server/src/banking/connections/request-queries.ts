// The SQL of requested changes of bank connections.

import { isUniqueViolation, type Runner, statement, type Tx } from "../../platform/db/index.ts";

export type ConnectionRequestKind = "add" | "change" | "enable";
type RequestStatus = "waiting" | "applied" | "declined" | "withdrawn" | "expired";
export type ConnectionFacts = Record<string, unknown>;

export type ConnectionRequest = {
  id: string;
  kind: ConnectionRequestKind;
  name: string;
  fields_sealed: Buffer | null;
  before: ConnectionFacts;
  after: ConnectionFacts;
  settings_sha256: string;
  made_by: string;
  made_at_ms: string;
  status: RequestStatus;
};

/** The identity that the encrypted fields of a request are bound to. */
export const fieldsIdentity = (id: string) => `bank_connection_request.fields:${id}`;

const columns =
  "id, kind, name, fields_sealed, before, after, settings_sha256, made_by, made_at_ms, status";

const insertOne = statement<never>(
  "bank-connection-request-insert",
  `insert into bank_connection_request (id, kind, name, fields_sealed, before, after, settings_sha256, made_by, made_at_ms)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

export type NewConnectionRequest = Omit<ConnectionRequest, "made_at_ms" | "status"> & {
  made_at_ms: number;
};

export async function insertConnectionRequest(
  tx: Tx,
  request: NewConnectionRequest,
): Promise<void> {
  await tx.run(insertOne, [
    request.id,
    request.kind,
    request.name,
    request.fields_sealed,
    JSON.stringify(request.before),
    JSON.stringify(request.after),
    request.settings_sha256,
    request.made_by,
    request.made_at_ms,
  ]);
}

/** One change of a connection waits at a time. */
export function isRequestWaiting(error: unknown): boolean {
  return isUniqueViolation(error, "bank_connection_request_waiting");
}

const lockOne = statement<ConnectionRequest>(
  "bank-connection-request-lock",
  `select ${columns} from bank_connection_request where id = $1 for update`,
);

export async function lockConnectionRequest(
  tx: Tx,
  id: string,
): Promise<ConnectionRequest | undefined> {
  return (await tx.run(lockOne, [id]))[0];
}

const rehash = statement<never>(
  "bank-connection-request-rehash",
  `update bank_connection_request set settings_sha256 = encode(sha256($2), 'hex')
   where status = 'waiting' and settings_sha256 = encode(sha256($1), 'hex')`,
);

/** The settings were encrypted again and mean the same, so a waiting request is still about them. */
export async function updateSettingsHash(tx: Tx, before: Buffer, after: Buffer): Promise<void> {
  await tx.run(rehash, [before, after]);
}

const decideOne = statement<never>(
  "bank-connection-request-decide",
  `update bank_connection_request set status = $2, decided_by = $3, decided_at_ms = $4, fields_sealed = null
   where id = $1`,
);

/** Its fields are forgotten: they hold an account number. */
export async function updateRequestDecided(
  tx: Tx,
  id: string,
  { status, who, atMs }: { status: RequestStatus; who: string; atMs: number },
): Promise<void> {
  await tx.run(decideOne, [id, status, who, atMs]);
}

const listWaiting = statement<ConnectionRequest>(
  "bank-connection-requests-waiting",
  `select ${columns} from bank_connection_request where status = 'waiting' order by id`,
);

/** At most one for each connection, and each that is to be added. */
export function listConnectionRequests(db: Runner): Promise<ConnectionRequest[]> {
  return db.run(listWaiting);
}
