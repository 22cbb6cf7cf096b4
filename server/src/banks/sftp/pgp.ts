// PGP: encrypts and signs files for the bank, and decrypts files from the bank. A file is encrypted once: each time gives
// other bytes.

import { Readable } from "node:stream";
import { limits } from "../../limits.ts";
import type { SftpSettings } from "./settings.ts";

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

async function readPrivateKey(armoredKey: string, passphrase: string | undefined) {
  const openpgp = await import("openpgp");
  const privateKey = await openpgp.readPrivateKey({ armoredKey });
  return privateKey.isDecrypted()
    ? privateKey
    : openpgp.decryptKey({ privateKey, passphrase: passphrase ?? "" });
}

export type InboundKey = Pick<SftpSettings, "pgp_inbound_key" | "pgp_inbound_passphrase">;

/** Our key for files from the bank. */
export async function readInboundKey({ pgp_inbound_key = "", pgp_inbound_passphrase }: InboundKey) {
  const key = await readPrivateKey(pgp_inbound_key, pgp_inbound_passphrase);
  await key.getDecryptionKeys();
  return key;
}

const armor = Buffer.from("-----BEGIN PGP MESSAGE-----");

/** Whether it begins as an encrypted message: with its armor, or with the packet of a key. */
export function isEncryptedMessage(bytes: Uint8Array): boolean {
  const [first = 0] = bytes;
  const tag = (first & 0xc0) === 0xc0 ? first & 0x3f : (first & 0x3c) >> 2;
  const isKeyPacket = (first & 0x80) !== 0 && (tag === 1 || tag === 3);
  return isKeyPacket || armor.equals(bytes.subarray(0, armor.length));
}

/** Its signature is not checked: the server has shown the bank's host key. */
export async function decryptFromBank(settings: InboundKey, bytes: Uint8Array): Promise<Buffer> {
  const openpgp = await import("openpgp");
  const decryptionKeys = await readInboundKey(settings);
  const message = armor.equals(bytes.subarray(0, armor.length))
    ? await openpgp.readMessage({ armoredMessage: Buffer.from(bytes).toString("latin1") })
    : await openpgp.readMessage({ binaryMessage: new Uint8Array(bytes) });
  // A small file may hold a very large one.
  const config = { maxDecompressedMessageSize: limits.bankInboundBytesMax };
  const { data } = await openpgp.decrypt({ message, decryptionKeys, format: "binary", config });
  return Buffer.from(data);
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
