// PGP keys of a bank and of ourselves, and the messages that a bank makes with them.

import * as openpgp from "openpgp";

export type PgpKeys = Awaited<ReturnType<typeof newPgpKeys>>;

// An hour old: a key that ends a second after its making has ended, in whichever second a test runs.
const keyMade = new Date(Date.now() - 3_600_000);

export const newPgpKeys = (name: string, passphrase?: string) =>
  openpgp.generateKey({
    userIDs: [{ name, email: `${name}@example.com` }],
    date: keyMade,
    ...(passphrase && { passphrase }),
  });

/** A message to `to` with the signature of `from`, or without one of them. */
export async function pgpMessage(
  bytes: Uint8Array,
  { to, from }: { to?: PgpKeys; from?: PgpKeys },
): Promise<Buffer> {
  const message = await openpgp.createMessage({ binary: new Uint8Array(bytes) });
  const signingKeys = from && (await openpgp.readPrivateKey({ armoredKey: from.privateKey }));
  if (!to) {
    if (!signingKeys) throw new Error("a message is signed or encrypted");
    return Buffer.from(await openpgp.sign({ message, signingKeys, format: "binary" }));
  }
  const encrypted = await openpgp.encrypt({
    message,
    encryptionKeys: await openpgp.readKey({ armoredKey: to.publicKey }),
    ...(signingKeys && { signingKeys }),
    format: "binary",
  });
  return Buffer.from(encrypted);
}

export function armored(message: Uint8Array): Buffer {
  return Buffer.from(openpgp.armor(openpgp.enums.armor.message, new Uint8Array(message)));
}

/** The same public key as its owner would publish it had it expired an hour ago. */
export async function expiredKey({ privateKey: armoredKey }: PgpKeys): Promise<string> {
  const { publicKey } = await openpgp.reformatKey({
    privateKey: await openpgp.readPrivateKey({ armoredKey }),
    userIDs: [{ name: "bank", email: "bank@example.com" }],
    date: keyMade,
    keyExpirationTime: 1,
  });
  return publicKey;
}

/** Settings of a connection by SFTP with these keys, to a server that no test asks. */
export const sftpWith = (keys: { pgp_public_key?: string; pgp_verification_key?: string }) =>
  ({
    travels: "sftp",
    sftp: {
      host: "127.0.0.1",
      user: "acme",
      password: "x",
      host_key: `SHA256:${"A".repeat(43)}`,
      ...keys,
    },
  }) as const;
