// Which columns a new payee needs, by country: from the form of a receiver and the rules for accounts.

import { Code, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Panel } from "../parts/panel.tsx";
import { useAccountSchema } from "../receivers/account-schema.ts";
import { CountryField } from "../receivers/country-field.tsx";
import { useReceiverForm } from "../receivers/receiver-form.ts";

/** What the file calls a field of the forms. */
const columnNames: Record<string, string> = { email: "receiver_email", bsb: "bank_code" };

export function NewPayeeColumns() {
  const [country, setCountry] = useState("AUS");
  const form = useReceiverForm();
  const { data: schema } = useAccountSchema(country);
  const known = form?.countries.find(({ code }) => code === country);
  if (!form || !known || !schema) return null;
  const isNeeded = (name: string) => (known.needs as readonly string[]).includes(name);
  const ofReceiver = form.fields.filter((field) => field.is_required || isNeeded(field.name));
  const ofAccount = Object.entries(schema.properties);
  const required = ofAccount.filter(
    ([name]) => name !== "account_type" && schema.required.includes(name),
  );
  const others = ofAccount.filter(([name]) => !schema.required.includes(name));
  return (
    <Panel title="Columns for new payees">
      <Stack gap="sm">
        <Text size="sm">
          A row may describe a new payee. The template with new payees has every column; which of
          them a row needs depends on its country.
        </Text>
        <CountryField label="Country" value={country} problem={undefined} onChange={setCountry} />
        <Columns title="Of the person" names={ofReceiver.map(({ name }) => name)} />
        <Columns
          title="Of the account"
          names={required.map(([name]) => name)}
          hints={required.map(([name, { title, description }]) =>
            name === "account_number" ? description : `${title}: ${description}`,
          )}
        />
        <Columns
          title="Where it applies"
          names={["account_type", ...others.map(([name]) => name)]}
          hints={[schema.properties.account_type?.description ?? ""].concat(
            others.map(([, { description }]) => description),
          )}
        />
      </Stack>
    </Panel>
  );
}

function Columns({
  title,
  names,
  hints,
}: {
  title: string;
  names: readonly string[];
  hints?: readonly string[];
}) {
  const shown = names.map((name, index) => (
    <Group key={name} gap={6} wrap={hints ? "nowrap" : "wrap"} align="baseline">
      <Code style={{ flexShrink: 0 }}>{columnNames[name] ?? name}</Code>
      {hints && <Text size="xs">{hints[index]}</Text>}
    </Group>
  ));
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      {hints ? <Stack gap={4}>{shown}</Stack> : <Group gap={6}>{shown}</Group>}
    </div>
  );
}
