// Checks the keys of a connection by SFTP when it is saved, and not first when a file is to be sent.

import {
  readInboundKey,
  readPgpKeys,
  requireSigningKey,
  requiresSignature,
  verificationKeyOf,
} from "../pgp/index.ts";
import type { SftpSettings } from "../sftp-settings/index.ts";

/** Why the keys can't be used. The schema has checked the rest. */
export async function sftpKeyProblems(
  settings: SftpSettings,
): Promise<{ field: keyof SftpSettings; what: string }[]> {
  const { password, private_key, passphrase, pgp_signing_key, pgp_public_key } = settings;
  const problems: { field: keyof SftpSettings; what: string }[] = [];
  if ((password === undefined) === (private_key === undefined)) {
    problems.push({ field: "password", what: "is needed, or private_key, and not both" });
  }
  if (private_key !== undefined) {
    const { default: ssh2 } = await import("ssh2");
    if (ssh2.utils.parseKey(private_key, passphrase) instanceof Error) {
      problems.push({ field: "private_key", what: "can't be read, or has another passphrase" });
    }
  }
  if (pgp_public_key !== undefined) {
    const field = await readPgpKeys(settings).then(
      () => undefined,
      (error: { field: "pgp_public_key" | "pgp_signing_key" }) => error.field,
    );
    if (field) problems.push({ field, what: "can't be read, or can't be used for this" });
  } else if (pgp_signing_key !== undefined) {
    problems.push({ field: "pgp_public_key", what: "is needed: only encrypted files are signed" });
  }
  if (settings.pgp_inbound_key !== undefined) {
    const isReadable = await readInboundKey(settings).then(
      () => true,
      () => false,
    );
    const what = "can't be read, or can't be used for this";
    if (!isReadable) problems.push({ field: "pgp_inbound_key", what });
  }
  const what = await verificationProblem(settings);
  if (what) problems.push({ field: "pgp_verification_key", what });
  return problems;
}

/** Without a key that signs, every file from the bank would be refused. */
async function verificationProblem(settings: SftpSettings): Promise<string | undefined> {
  const { inbound_folder, pgp_public_key, pgp_verification_key, pgp_inbound_key } = settings;
  const isGiven = pgp_verification_key !== undefined;
  const takesFiles = inbound_folder !== undefined || pgp_inbound_key !== undefined;
  if (!isGiven && !(takesFiles && requiresSignature(settings))) return undefined;
  const canSign = await requireSigningKey(verificationKeyOf(settings) ?? "").then(
    () => true,
    () => false,
  );
  if (canSign) return undefined;
  if (isGiven) return "can't be read, or can't be used for this";
  return pgp_public_key === undefined
    ? "is needed: files from the bank are taken only with its signature"
    : "is needed: pgp_public_key can't be used for signatures";
}
