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
import { banksTexts } from "../texts/banks.ts";
import { pollsFolder, type SftpForm } from "./sftp-form.ts";

const { sftp: texts } = banksTexts;
type FieldName = keyof typeof texts.labels;

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
    label: texts.labels[name],
    description: texts.hints[name],
    value: form.texts[name] ?? "",
    error: wrong[`sftp.${name}`],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange({ ...form, texts: { ...form.texts, [name]: currentTarget.value } }),
  });
  const secret = (name: FieldName) => ({
    ...field(name),
    // A browser would offer to keep it.
    autoComplete: "new-password",
    ...(secretsSet.includes(name) && { placeholder: texts.keeps }),
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
        {texts.server}
      </Text>
      <Group grow align="flex-start">
        {text("host", true)}
        {text("port")}
      </Group>
      {text("host_key", true)}
      {text("user", true)}
      <SegmentedControl
        size="xs"
        aria-label={texts.signIn}
        data={[
          { value: "password", label: texts.labels.password },
          { value: "private_key", label: texts.labels.private_key },
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
        label={texts.usesPgp}
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
        label={texts.bankSigns}
        description={texts.bankSignsHint}
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
