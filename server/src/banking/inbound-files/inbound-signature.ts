// The bank's signature under its files. Where a connection has a PGP key, a file without the signature may not be the
// bank's: however it came, it is refused.

import { Refusal } from "../../platform/refusals/index.ts";
import type { BankConnection } from "../connections/index.ts";
import { isPgpMessage, requiresSignature, verificationKeyOf } from "../pgp/index.ts";
import { openMessageInThread } from "../readers/index.ts";

/** `signedFor`: the connection whose key has checked the signature. */
export type SignedFile = { bytes: Uint8Array; signedFor: BankConnection | undefined };

/** What a file holds, decrypted and checked if it is a PGP message. */
export async function openSigned(
  given: Uint8Array,
  connection: BankConnection | undefined,
): Promise<SignedFile> {
  if (!isPgpMessage(given)) {
    if (connection) requireSigned(connection, undefined);
    return { bytes: given, signedFor: undefined };
  }
  if (!connection) {
    throw new Refusal("BANK406", {
      message: "The file is a PGP message, and does not say whose it is",
    });
  }
  const opened = await openMessageInThread(connection.sftp ?? {}, given);
  if ("bytes" in opened) return { bytes: opened.bytes, signedFor: connection };
  const { code, message } = opened;
  throw new Refusal(code, message === undefined ? {} : { message });
}

/** A statement may be about accounts of several connections: each needs the signature of its own bank. */
export function requireSigned(
  { sftp, row }: BankConnection,
  signedFor: BankConnection | undefined,
): void {
  if (!requiresSignature(sftp)) return;
  if (!signedFor) {
    throw new Refusal("BANK410", {
      message: `The file is no PGP message, and ${row.name} has a PGP key: only files that the bank has signed are taken`,
    });
  }
  if (verificationKeyOf(signedFor.sftp) === verificationKeyOf(sftp)) return;
  throw new Refusal("BANK410", {
    message: `The file is also about an account of ${row.name}, whose bank signs with another PGP key than that of ${signedFor.row.name}`,
  });
}
