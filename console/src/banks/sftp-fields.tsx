// The fields of a bank's SFTP server. Secrets are never shown: a field that is left empty keeps the one that is set.

import {
  Group,
  PasswordInput,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { pollsFolder, type SftpForm } from "./sftp-form.ts";

const labels = {
  host: "Host",
  port: "Port",
  host_key: "Host key fingerprint",
  user: "User",
  password: "Password",
  private_key: "Private key",
  passphrase: "Passphrase of the private key",
  folder: "Folder",
  file_name: "File name",
  pgp_public_key: "The bank's PGP public key",
  pgp_signing_key: "Your PGP private key",
  pgp_signing_passphrase: "Passphrase of your PGP private key",
  inbound_folder: "Folder for files from the bank",
  inbound_files: "Their names",
  pgp_verification_key: "The bank's PGP public key that it signs with",
  pgp_inbound_key: "Your PGP private key for files from the bank",
  pgp_inbound_passphrase: "Its passphrase",
} as const;

const hints = {
  host: "",
  port: "",
  host_key:
    "As ssh-keygen -l prints it: SHA256:… Get it from the bank, not from the server. Up to five, separated by spaces.",
  user: "",
  password: "Never shown again. Type it again if the host, the port or the user changes.",
  private_key: "PEM or OpenSSH format. Never shown again.",
  passphrase: "Empty if it has none",
  folder: "Empty: where we log in",
  file_name:
    "The name that the bank wants, with {sequence} and perhaps {date}. Empty: the file's own name.",
  pgp_public_key:
    "Files are encrypted for it before they are sent. Files from the bank have to be signed.",
  pgp_signing_key: "Encrypted files are signed with it. Empty: they are not signed.",
  pgp_signing_passphrase: "Empty if it has none",
  inbound_folder:
    "It is polled, and its files are applied. Empty: a user applies files from the bank.",
  inbound_files: "Such as ACME*.ret, separated by spaces. Empty: all files.",
  pgp_verification_key:
    "Empty: the bank signs with the key that files are encrypted for. Several, one after the other, while the bank changes its key.",
  pgp_inbound_key: "Empty: files from the bank are not encrypted.",
  pgp_inbound_passphrase: "Empty if it has none",
} as const;

type FieldName = keyof typeof labels;

export function SftpFields({
  form,
  secretsSet,
  wrong,
  onChange,
}: {
  form: SftpForm;
  /** The names of the secrets that are set. */
  secretsSet: readonly string[];
  /** What is wrong, by field. */
  wrong: Record<string, string | undefined>;
  onChange: (form: SftpForm) => void;
}) {
  const { sign_in, uses_pgp, bank_signs } = form;
  const field = (name: FieldName) => ({
    label: labels[name],
    description: hints[name],
    value: form.texts[name] ?? "",
    error: wrong[`sftp.${name}`],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange({ ...form, texts: { ...form.texts, [name]: currentTarget.value } }),
  });
  const secret = (name: FieldName) => ({
    ...field(name),
    // A browser would offer to keep it.
    autoComplete: "new-password",
    ...(secretsSet.includes(name) && { placeholder: "Empty: keep the one that is set" }),
  });
  const text = (name: FieldName, isRequired = false) => (
    <TextInput {...field(name)} autoComplete="off" required={isRequired} />
  );
  const key = (name: FieldName, error?: string) => (
    <Textarea {...secret(name)} {...(error && { error })} autosize minRows={2} maxRows={6} />
  );
  return (
    <Stack gap="sm" component="fieldset" m={0} p={0} bd={0}>
      <Text component="legend" size="sm" fw={600} p={0}>
        SFTP server
      </Text>
      <Group grow align="flex-start">
        {text("host", true)}
        {text("port")}
      </Group>
      {text("host_key", true)}
      {text("user", true)}
      <SegmentedControl
        size="xs"
        aria-label="Sign in with"
        data={[
          { value: "password", label: labels.password },
          { value: "private_key", label: labels.private_key },
        ]}
        value={sign_in}
        onChange={(chosen) => onChange({ ...form, sign_in: chosen as SftpForm["sign_in"] })}
      />
      {sign_in === "password" ? (
        <PasswordInput {...secret("password")} />
      ) : (
        <>
          {key("private_key", wrong["sftp.private_key"] ?? wrong["sftp.password"])}
          <PasswordInput {...secret("passphrase")} />
        </>
      )}
      <Group grow align="flex-start">
        {text("folder")}
        {text("file_name")}
      </Group>
      <Switch
        label="Encrypt files with PGP"
        checked={uses_pgp}
        onChange={(event) => onChange({ ...form, uses_pgp: event.currentTarget.checked })}
      />
      {uses_pgp && (
        <>
          {key("pgp_public_key")}
          {key("pgp_signing_key")}
          <PasswordInput {...secret("pgp_signing_passphrase")} />
        </>
      )}
      {text("inbound_folder")}
      {pollsFolder(form) && text("inbound_files")}
      <Switch
        label="Other PGP keys for files from the bank"
        description="With any PGP key here or above, files from the bank are taken only if the bank has signed them."
        checked={bank_signs}
        onChange={(event) => onChange({ ...form, bank_signs: event.currentTarget.checked })}
      />
      {bank_signs && (
        <>
          {key("pgp_verification_key")}
          {key("pgp_inbound_key")}
          <PasswordInput {...secret("pgp_inbound_passphrase")} />
        </>
      )}
    </Stack>
  );
}
