// Submits a new bank account, or a change of one, for approval. The fields depend on the country.

import { Alert, Fieldset, Select, SimpleGrid, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ProposedChange } from "@server/doors/console/bank-changes/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useApprover } from "../api/approver.ts";
import { send } from "../api/call.ts";
import { useApiOf } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { DialogForm, FormDialog } from "../parts/form-dialog.tsx";
import { receiversTexts } from "../texts/receivers.ts";
import { type AccountSchema, useAccountSchema } from "./account-schema.ts";
import { choiceLabels } from "./choice-labels.ts";
import { CountryField } from "./country-field.tsx";
import { type AccountLine, useRenewReceivers } from "./receiver.ts";

type Props = {
  /** `country`: of the receiver, where the account usually is. */
  receiver: { id: string; country: string };
  onClose: () => void;
};

export function AccountDialog({
  editing,
  ...form
}: { editing: AccountLine | "new" | undefined } & Props) {
  const title = editing === "new" ? receiversTexts.addBankAccount : "Change bank details";
  return (
    <FormDialog opened={editing !== undefined} onClose={form.onClose} title={title}>
      {editing && <AccountForm {...form} {...(editing === "new" ? {} : { account: editing })} />}
    </FormDialog>
  );
}

function AccountForm({ receiver, account, onClose }: Props & { account?: AccountLine }) {
  const [country, setCountry] = useState(account?.country ?? receiver.country);
  const [fields, setFields] = useState<Record<string, string>>(() => knownOf(account));
  const apiOf = useApiOf();
  const approver = useApprover("accounts.approve");
  const renew = useRenewReceivers();
  const { data: schema, error: schemaError } = useAccountSchema(country);
  const propose = useMutation({
    mutationFn: async () => {
      const given = { ...filled(fields, schema), country };
      const made = account
        ? await send<ProposedChange>("PATCH", apiOf(`/accounts/${account.id}`), given)
        : await send<ProposedChange>("POST", apiOf("/accounts"), {
            receiver_id: receiver.id,
            ...given,
          });
      await renew();
      return made;
    },
    onSuccess: ({ warnings }) => {
      const noted = warnings.map(({ message }) => message).join(" ");
      const message = `Submitted for approval. ${noted}`.trim();
      notifications.show({ message, color: warnings.length > 0 ? "yellow" : "teal" });
      onClose();
    },
  });
  const problems = propose.error instanceof ApiProblem ? propose.error.byField() : {};
  return (
    <DialogForm
      act={{ error: propose.error ?? schemaError, isPending: propose.isPending }}
      label="Submit for approval"
      isReady={schema !== undefined}
      fields={[
        "country",
        ...moreNames,
        ...(schema ? asked(schema, fields).map(([name]) => name) : []),
      ]}
      onSubmit={() => propose.mutate()}
      onClose={onClose}
    >
      <CountryField
        label="Country of the bank account"
        value={country}
        problem={problems.country}
        onChange={setCountry}
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
      <MoreFields
        fields={fields}
        problems={problems}
        isNew={account === undefined}
        onChange={(name, value) => setFields({ ...fields, [name]: value })}
      />
      <Alert color="gray" variant="light">
        <Text size="sm">{`${approver.first} has to approve it. Nothing changes until then.`}</Text>
      </Alert>
    </DialogForm>
  );
}

const toChoice = (value: string) => ({ value, label: choiceLabels[value] ?? value });

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
        data={property.enum.filter((choice) => choice !== "").map(toChoice)}
        value={value || property.default || null}
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

/** Of the holder. The country is that of the account. */
const addressLabels = {
  address: receiversTexts.address,
  address2: receiversTexts.addressLine2,
  city: receiversTexts.city,
  state: receiversTexts.state,
  postcode: receiversTexts.postcode,
} as const;

const moreLabels = {
  aka: receiversTexts.alsoKnownAs,
  occupation: "Occupation",
  homedialcode: "Home phone, dial code",
  homephone: "Home phone",
  reference: receiversTexts.reference,
  ...addressLabels,
} as const;
const moreNames = Object.keys(moreLabels) as (keyof typeof moreLabels)[];
const addressNames = Object.keys(addressLabels) as (keyof typeof addressLabels)[];

/** What the API takes beside the bank details. */
function MoreFields({
  fields,
  problems,
  isNew,
  onChange,
}: {
  fields: Record<string, string>;
  problems: Record<string, string>;
  isNew: boolean;
  onChange: (name: string, value: string) => void;
}) {
  const isWrong = moreNames.some((name) => problems[name] !== undefined);
  const field = (name: keyof typeof moreLabels) => (
    <TextInput
      key={name}
      label={receiversTexts.optional(moreLabels[name])}
      value={fields[name] ?? ""}
      error={problems[name]}
      autoComplete="off"
      onChange={(event) => onChange(name, event.currentTarget.value)}
    />
  );
  return (
    <details {...(isWrong ? { open: true } : {})}>
      <Text component="summary" size="sm" style={{ cursor: "pointer" }}>
        More details
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs" mt="xs">
        {moreNames.filter((name) => !(name in addressLabels)).map(field)}
      </SimpleGrid>
      <Fieldset
        variant="unstyled"
        mt="md"
        mx={0}
        p={0}
        legend={
          <Text size="sm" fw={600}>
            Address of the account holder
          </Text>
        }
      >
        <Text size="xs" c="dimmed">
          {isNew
            ? "Leave it empty to use the receiver's address."
            : "Leave a field empty to keep it unchanged."}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs" mt={4}>
          {addressNames.map(field)}
        </SimpleGrid>
      </Fieldset>
    </details>
  );
}

/** The full number is not known here. Left empty, it stays as it is. */
function knownOf(account: AccountLine | undefined): Record<string, string> {
  if (!account) return { account_type: "I" };
  const { type: account_type, bsb, bank_code, business_name, checking_or_savings } = account;
  return { account_type, bsb, bank_code, business_name, checking_or_savings };
}

const ofBusinesses = ["abn", "acn", "nzbn", "business_name"];

/** The fields the country needs. An individual has none of a business. */
function asked({ properties }: AccountSchema, { account_type }: Record<string, string>) {
  return Object.entries(properties).filter(
    ([name]) => account_type === "B" || !ofBusinesses.includes(name),
  );
}

/** Only fields that are shown and filled in. */
function filled(fields: Record<string, string>, schema: AccountSchema | undefined) {
  if (!schema) return {};
  return Object.fromEntries(
    [...asked(schema, fields).map(([name]) => name), ...moreNames]
      .map((name) => [name, (fields[name] ?? "").replaceAll(/\s+/g, " ").trim()])
      .filter(([, value]) => value !== ""),
  );
}
