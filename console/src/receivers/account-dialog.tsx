// Proposes a bank account, or other details of one. The form is what the country asks for; a second person decides.

import { Alert, Button, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ProposedChange } from "@server/console/bank-changes/schema.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { get, send } from "../api/call.ts";
import { useApiOf } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { FormModal } from "../parts/form-modal.tsx";
import { Problem } from "../parts/problem.tsx";
import { type AccountLine, type ReceiverDetail, useRenewReceivers } from "./receiver.ts";

/** What is drawn of a country's JSON Schema. */
type AccountSchema = {
  properties: Record<string, { title: string; description: string; enum?: readonly string[] }>;
  required: string[];
};

type Props = { receiver: ReceiverDetail; onClose: () => void };

export function AccountDialog({
  editing,
  ...form
}: { editing: AccountLine | "new" | undefined } & Props) {
  const title = editing === "new" ? "Add a bank account" : "Change the bank details";
  return (
    <FormModal opened={editing !== undefined} onClose={form.onClose} title={title}>
      {editing && <AccountForm {...form} {...(editing === "new" ? {} : { account: editing })} />}
    </FormModal>
  );
}

function AccountForm({ receiver, account, onClose }: Props & { account?: AccountLine }) {
  const [country, setCountry] = useState(account?.country ?? receiver.json.address_data.country);
  const [fields, setFields] = useState<Record<string, string>>(() => knownOf(account));
  const apiOf = useApiOf();
  const renew = useRenewReceivers();
  const { data: schema, error: schemaError } = useQuery({
    queryKey: ["account-form", country],
    queryFn: ({ signal }) => get<AccountSchema>(apiOf("/account-form"), { country }, signal),
    enabled: /^[A-Z]{3}$/.test(country),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const propose = useMutation({
    mutationFn: async () => {
      const given = { ...filled(fields, schema), country };
      const made = account
        ? await send<ProposedChange>("PATCH", apiOf(`/accounts/${account.id}`), given)
        : await send<ProposedChange>("POST", apiOf("/accounts"), {
            receiver_id: receiver.json.id,
            ...given,
          });
      await renew();
      return made;
    },
    onSuccess: ({ warnings }) => {
      const noted = warnings.map(({ message }) => message).join(" ");
      const message = `Proposed: it waits for a second person. ${noted}`.trim();
      notifications.show({ message, color: warnings.length > 0 ? "yellow" : "teal" });
      onClose();
    },
  });
  const problems = propose.error instanceof ApiProblem ? propose.error.byField() : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    propose.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Country of the account"
          description="Three letters, such as AUS"
          value={country}
          maxLength={3}
          error={problems.country}
          onChange={(event) => setCountry(event.currentTarget.value.toUpperCase())}
        />
        {schema &&
          asked(schema, fields).map(([name, property]) => (
            <Field
              key={name}
              property={property}
              isRequired={schema.required.includes(name) && !(account && name === "account_number")}
              value={fields[name] ?? ""}
              problem={problems[name]}
              placeholder={account && name === "account_number" ? account.account_number : ""}
              onChange={(value) => setFields({ ...fields, [name]: value })}
            />
          ))}
        <Alert color="gray" variant="light">
          <Text size="sm">Nothing changes until somebody else has approved it.</Text>
        </Alert>
        <Problem
          error={propose.error ?? schemaError}
          fields={["country", ...(schema ? asked(schema, fields).map(([name]) => name) : [])]}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={propose.isPending} disabled={!schema}>
            Propose
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const types = [
  { value: "I", label: "An individual" },
  { value: "B", label: "A business" },
];

function Field({
  property,
  isRequired,
  value,
  problem,
  placeholder,
  onChange,
}: {
  property: AccountSchema["properties"][string];
  isRequired: boolean;
  value: string;
  problem: string | undefined;
  placeholder: string;
  onChange: (value: string) => void;
}) {
  const { title, description } = property;
  if (property.enum) {
    return (
      <Select
        label={title}
        data={types}
        value={value || null}
        error={problem}
        required={isRequired}
        withAsterisk={false}
        allowDeselect={false}
        onChange={(chosen) => onChange(chosen ?? "")}
      />
    );
  }
  return (
    <TextInput
      label={title}
      description={description}
      value={value}
      placeholder={placeholder}
      error={problem}
      required={isRequired}
      withAsterisk={false}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The number itself is not known here: left empty, it stays. */
function knownOf(account: AccountLine | undefined): Record<string, string> {
  if (!account) return { account_type: "I" };
  return { account_type: account.type, bsb: account.bsb, bank_code: account.bank_code };
}

/** What the country asks for: of an individual no business numbers. */
function asked({ properties }: AccountSchema, { account_type }: Record<string, string>) {
  return Object.entries(properties).filter(
    ([name]) => account_type === "B" || !["abn", "acn", "nzbn"].includes(name),
  );
}

/** Only what was asked for, and filled in. */
function filled(fields: Record<string, string>, schema: AccountSchema | undefined) {
  if (!schema) return {};
  return Object.fromEntries(
    asked(schema, fields)
      .map(([name]) => [name, (fields[name] ?? "").trim()])
      .filter(([, value]) => value !== ""),
  );
}
