// PGP messages from the bank: decrypted with our key, and taken only with the bank's signature.

import type { VerifyMessageResult } from "openpgp";
import { limits } from "../../platform/limits/index.ts";
import type { SftpSettings } from "../sftp-settings/index.ts";
import { readPrivateKey } from "./pgp.ts";

export type InboundKeys = Pick<
  SftpSettings,
  "pgp_public_key" | "pgp_verification_key" | "pgp_inbound_key" | "pgp_inbound_passphrase"
>;

/** Where a connection has a PGP key, files from its bank are taken only with the bank's signature. */
export function requiresSignature(settings: InboundKeys | undefined): boolean {
  return verificationKeyOf(settings) !== undefined || settings?.pgp_inbound_key !== undefined;
}

/** The bank's public key that checks its signatures. Most banks sign with the key that we encrypt for. */
export function verificationKeyOf(settings: InboundKeys | undefined): string | undefined {
  return settings?.pgp_verification_key ?? settings?.pgp_public_key;
}

/** Our key for files from the bank. */
export async function readInboundKey({
  pgp_inbound_key = "",
  pgp_inbound_passphrase,
}: InboundKeys) {
  const key = await readPrivateKey(pgp_inbound_key, pgp_inbound_passphrase);
  await key.getDecryptionKeys();
  return key;
}

/** Several, one after the other, while the bank changes its key. Fails where none of them can sign now. */
export async function requireSigningKey(armoredKeys: string): Promise<void> {
  const keys = await readPublicKeys(armoredKeys);
  await Promise.any(keys.map((key) => key.getSigningKey()));
}

const publicKeyEnd = /(?<=-----END PGP PUBLIC KEY BLOCK-----)/;

async function readPublicKeys(armoredKeys: string) {
  const openpgp = await import("openpgp");
  const blocks = armoredKeys.split(publicKeyEnd).filter((block) => block.trim() !== "");
  const keys = await Promise.all(
    blocks.map((armored) => openpgp.readKeys({ armoredKeys: armored })),
  );
  return keys.flat();
}

const armor = Buffer.from("-----BEGIN PGP MESSAGE-----");
const isArmored = (bytes: Uint8Array) => armor.equals(bytes.subarray(0, armor.length));

/** The packets that a message begins with, by their tag, and the first byte of each: its version or its algorithm. */
const firstBytes: Readonly<Record<number, readonly number[]>> = {
  // A session key for a public key, and for a password.
  1: [2, 3, 6],
  3: [4, 5, 6],
  // A signature, one that follows the content, and compressed content.
  2: [3, 4, 5, 6],
  4: [3, 6],
  8: [0, 1, 2, 3],
};

/** Whether it begins as a PGP message. The letters that text in Latin-1 or UTF-8 may begin with are no such packets. */
export function isPgpMessage(bytes: Uint8Array): boolean {
  if (isArmored(bytes)) return true;
  const [first = 0, length = 0] = bytes;
  if ((first & 0x80) === 0) return false;
  const isNewFormat = (first & 0x40) !== 0;
  const tag = isNewFormat ? first & 0x3f : (first & 0x3c) >> 2;
  const lengthBytes = isNewFormat ? newLengthBytes(length) : ([1, 2, 4, 0][first & 3] as number);
  return firstBytes[tag]?.includes(bytes[1 + lengthBytes] ?? -1) ?? false;
}

function newLengthBytes(first: number): number {
  if (first === 255) return 5;
  return first >= 192 && first < 224 ? 2 : 1;
}

/** It can be copied between threads, unlike a refusal. */
export type OpenedMessage =
  | { bytes: Uint8Array }
  | { code: "BANK408" | "BANK410"; message?: string };

/** The content of a message: decrypted if it is encrypted, and signed by the bank. */
export async function openFromBank(
  settings: InboundKeys,
  bytes: Uint8Array,
): Promise<OpenedMessage> {
  const publicKeys = verificationKeyOf(settings);
  const verificationKeys = publicKeys === undefined ? [] : await readPublicKeys(publicKeys);
  const content = await readContent(settings, verificationKeys, bytes).catch(() => undefined);
  if (!content) return { code: "BANK408" };
  const { data, signatures } = content;
  if (signatures.length === 0) {
    return unsigned("The file is a PGP message without a signature");
  }
  if (verificationKeys.length === 0) {
    return unsigned(
      "The signature can't be checked: the connection has no PGP public key of the bank (pgp_verification_key)",
    );
  }
  const outcomes = await Promise.allSettled(signatures.map(({ verified }) => verified));
  if (outcomes.some(({ status }) => status === "fulfilled")) return { bytes: Buffer.from(data) };
  const known = signatures.findIndex(({ keyID }) =>
    verificationKeys.some((key) => key.getKeys(keyID).length > 0),
  );
  if (known === -1) {
    const signers = signatures.map(({ keyID }) => keyID.toHex().toUpperCase()).join(", ");
    return unsigned(`The file is signed with another PGP key than the bank's: ${signers}`);
  }
  const { reason } = outcomes[known] as PromiseRejectedResult;
  return unsigned(inWords(String((reason as Error).message)));
}

const unsigned = (message: string) => ({ code: "BANK410", message }) as const;

async function readContent(
  settings: InboundKeys,
  verificationKeys: Awaited<ReturnType<typeof readPublicKeys>>,
  bytes: Uint8Array,
): Promise<Pick<VerifyMessageResult<Uint8Array>, "data" | "signatures">> {
  const openpgp = await import("openpgp");
  // A small file may hold a very large one.
  const config = { maxDecompressedMessageSize: limits.bankInboundBytesMax };
  const message = isArmored(bytes)
    ? await openpgp.readMessage({ armoredMessage: Buffer.from(bytes).toString("latin1"), config })
    : await openpgp.readMessage({ binaryMessage: new Uint8Array(bytes), config });
  const date = new Date(Date.now() + limits.bankSignatureSkewMs);
  const checks = { message, verificationKeys, format: "binary", date, config } as const;
  if (message.getLiteralData() !== null) return openpgp.verify(checks);
  return openpgp.decrypt({ ...checks, decryptionKeys: await readInboundKey(settings) });
}

function inWords(reason: string): string {
  if (/digest did not match|verification failed/i.test(reason)) {
    return "The PGP signature does not fit the file: the file was changed after it was signed";
  }
  if (/expired/i.test(reason)) {
    return "The PGP signature has expired, or the bank's key had expired when it signed";
  }
  if (/revoked/i.test(reason)) return "The bank's PGP key that signed the file is revoked";
  return `The PGP signature is not valid: ${reason}`;
}
