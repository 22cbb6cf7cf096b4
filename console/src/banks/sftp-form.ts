// The SFTP server in the form of a bank connection as texts, and the fields that it sends. Pure.

import type { ConnectionFields } from "@server/doors/console/banks/schema.ts";

export type SftpForm = {
  /** By the name of the field. A secret that is set stays where its text is empty. */
  texts: Record<string, string>;
  sign_in: "password" | "private_key";
  uses_pgp: boolean;
  bank_signs: boolean;
};

export const blankSftp: SftpForm = {
  texts: { port: "22" },
  sign_in: "password",
  uses_pgp: false,
  bank_signs: false,
};

const sftpFields = {
  server: ["host", "port", "user", "host_key", "folder", "file_name", "inbound_folder"],
  inbound_keys: ["pgp_verification_key", "pgp_inbound_key", "pgp_inbound_passphrase"],
  password: ["password"],
  private_key: ["private_key", "passphrase"],
  pgp: ["pgp_public_key", "pgp_signing_key", "pgp_signing_passphrase"],
} as const;

export function textsOf(fields: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}

export function formOfSftp({ sftp, sftp_secrets }: ConnectionFields): SftpForm {
  return {
    texts: { ...blankSftp.texts, ...textsOf(sftp) },
    sign_in: sftp_secrets.includes("private_key") ? "private_key" : "password",
    uses_pgp: sftp_secrets.includes("pgp_public_key"),
    bank_signs: sftpFields.inbound_keys.some((name) => sftp_secrets.includes(name)),
  };
}

export function pollsFolder({ texts }: Pick<SftpForm, "texts">): boolean {
  return (texts.inbound_folder ?? "").trim() !== "";
}

/** A change takes a field away with null. A new connection leaves it out. */
export function bodyOfSftp(
  { texts, sign_in, uses_pgp, bank_signs }: SftpForm,
  isChange: boolean,
): Record<string, unknown> {
  const text = (name: string) => (texts[name] ?? "").trim();
  const parts = {
    password: sign_in === "password",
    private_key: sign_in === "private_key",
    pgp: uses_pgp,
    inbound_keys: bank_signs,
  };
  const secretsOf = (isUsed: boolean) =>
    (Object.keys(parts) as (keyof typeof parts)[])
      .filter((part) => parts[part] === isUsed)
      .flatMap((part): readonly string[] => sftpFields[part]);
  const [secrets, dropped] = [secretsOf(true), secretsOf(false)];
  const inbound = pollsFolder({ texts }) ? text("inbound_files") : "";
  const server = sftpFields.server.map((name) => [name, text(name) === "" ? null : text(name)]);
  const fields = {
    ...Object.fromEntries(server),
    inbound_files: inbound === "" ? null : inbound,
    // What is no number is sent as it is, so that the form shows the problem.
    port: /^\d+$/.test(text("port")) ? Number(text("port")) : text("port") || 22,
    ...Object.fromEntries(secrets.flatMap((name) => (text(name) ? [[name, texts[name]]] : []))),
    ...Object.fromEntries(dropped.map((name) => [name, null])),
  };
  if (isChange) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
