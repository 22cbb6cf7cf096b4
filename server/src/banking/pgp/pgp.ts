// PGP: encrypts and signs files for the bank. A file is encrypted once: each time gives other bytes.

import { Readable } from "node:stream";
import type { SftpSettings } from "../sftp-settings/index.ts";

type PgpSettings = Pick<
  SftpSettings,
  "pgp_public_key" | "pgp_signing_key" | "pgp_signing_passphrase"
>;

class PgpKeyError extends Error {
  readonly field: "pgp_public_key" | "pgp_signing_key";
  constructor(field: PgpKeyError["field"], cause: unknown) {
    super(`${field} can't be used`, { cause });
    this.field = field;
  }
}

export async function readPgpKeys(settings: PgpSettings) {
  const { pgp_public_key = "", pgp_signing_key, pgp_signing_passphrase } = settings;
  // Loaded here, because most installations never need it.
  const openpgp = await import("openpgp");
  const failed = (field: PgpKeyError["field"]) => (error: unknown) => {
    throw new PgpKeyError(field, error);
  };
  const encryptionKey = await openpgp
    .readKey({ armoredKey: pgp_public_key })
    .catch(failed("pgp_public_key"));
  await encryptionKey.getEncryptionKey().catch(failed("pgp_public_key"));
  if (pgp_signing_key === undefined) return { openpgp, encryptionKey, signingKey: undefined };
  const signingKey = await readPrivateKey(pgp_signing_key, pgp_signing_passphrase).catch(
    failed("pgp_signing_key"),
  );
  await signingKey.getSigningKey().catch(failed("pgp_signing_key"));
  return { openpgp, encryptionKey, signingKey };
}

export async function readPrivateKey(armoredKey: string, passphrase: string | undefined) {
  const openpgp = await import("openpgp");
  const privateKey = await openpgp.readPrivateKey({ armoredKey });
  return privateKey.isDecrypted()
    ? privateKey
    : openpgp.decryptKey({ privateKey, passphrase: passphrase ?? "" });
}

/** Part by part, so that memory stays flat. */
export async function* encryptForBank(
  settings: PgpSettings,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  const { openpgp, encryptionKey, signingKey } = await readPgpKeys(settings);
  const message = await openpgp.createMessage({
    binary: Readable.toWeb(Readable.from(bytes)) as ReadableStream<Uint8Array<ArrayBuffer>>,
  });
  const encrypted = await openpgp.encrypt({
    message,
    encryptionKeys: encryptionKey,
    ...(signingKey && { signingKeys: signingKey }),
    format: "binary",
  });
  yield* encrypted as unknown as AsyncIterable<Uint8Array>;
}
