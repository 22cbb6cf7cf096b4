// The settings of a bank connection whose files travel by SFTP.

import { isIP } from "node:net";
import Type, { type Static } from "typebox";
import { defineFormat, line } from "../../platform/fields/index.ts";

const hostLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
defineFormat(
  "sftp-host",
  (text) => isIP(text) !== 0 || text.split(".").every((label) => hostLabel.test(label)),
);

const fingerprint = "SHA256:[A-Za-z0-9+/]{43}";
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: line, description });
const key = (description: string) => Type.String({ minLength: 1, maxLength: 65_536, description });

export const SftpSettings = Type.Object({
  host: Type.String({ format: "sftp-host", maxLength: 253, description: "The bank's SFTP server" }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, default: 22, description: "Its port" }),
  user: text(100, "Our user name there"),
  password: Type.Optional(text(1_000, "Our password, or give private_key")),
  private_key: Type.Optional(key("Our private key in PEM or OpenSSH format, or give password")),
  passphrase: Type.Optional(text(1_000, "The passphrase of private_key")),
  host_key: Type.String({
    pattern: `^${fingerprint}( ${fingerprint}){0,4}$`,
    description:
      "The fingerprint of the server's host key as ssh-keygen -l prints it, such as SHA256:…; up to five, separated by spaces",
  }),
  folder: Type.String({
    maxLength: 500,
    pattern: "^[\\x20-\\x7E]*$",
    default: "",
    description: "The folder for our files; where we log in if absent",
  }),
  file_name: Type.String({
    maxLength: 200,
    pattern: "^(?!\\.)[\\x21-\\x2E\\x30-\\x7E]*\\{sequence\\}[\\x21-\\x2E\\x30-\\x7E]*$",
    default: "",
    description:
      "The name that the bank wants, with {sequence} for the number of the file and perhaps {date} for its process date (YYYYMMDD); the file's own name if absent",
  }),
  inbound_folder: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: "^[\\x20-\\x7E]*$",
      description:
        "The folder where the bank puts files for us: it is polled, and nothing in it is changed",
    }),
  ),
  inbound_files: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: "^[\\x21-\\x2E\\x30-\\x7E]+( [\\x21-\\x2E\\x30-\\x7E]+){0,9}$",
      description:
        "The names of the files to take there, such as ACME*.ret: * is any text; up to ten, separated by spaces; all if absent",
    }),
  ),
  pgp_public_key: Type.Optional(
    key("The bank's PGP public key: files are encrypted for it before they are sent"),
  ),
  pgp_signing_key: Type.Optional(key("Our PGP private key: encrypted files are signed with it")),
  pgp_signing_passphrase: Type.Optional(text(1_000, "The passphrase of pgp_signing_key")),
  pgp_verification_key: Type.Optional(
    key(
      "The bank's PGP public key that checks its signatures; pgp_public_key if absent; several one after the other. With any PGP key, only files that the bank has signed are taken",
    ),
  ),
  pgp_inbound_key: Type.Optional(
    key("Our PGP private key: files from the bank that are encrypted are decrypted with it"),
  ),
  pgp_inbound_passphrase: Type.Optional(text(1_000, "The passphrase of pgp_inbound_key")),
});
export type SftpSettings = Static<typeof SftpSettings>;

/** They are never shown, only whether they are set. PGP public keys are none, but as long. */
export const sftpSecrets = [
  "password",
  "private_key",
  "passphrase",
  "pgp_public_key",
  "pgp_signing_key",
  "pgp_signing_passphrase",
  "pgp_verification_key",
  "pgp_inbound_key",
  "pgp_inbound_passphrase",
] as const satisfies (keyof SftpSettings)[];

/** The settings without secrets, and the names of the secrets that are set. */
export function withoutSecrets(settings: Record<string, unknown>) {
  const isSecret = ([name]: [string, unknown]) => (sftpSecrets as readonly string[]).includes(name);
  const all = Object.entries(settings);
  return {
    shown: Object.fromEntries(all.filter((entry) => !isSecret(entry))),
    secrets: all.filter(isSecret).map(([name]) => name),
  };
}
