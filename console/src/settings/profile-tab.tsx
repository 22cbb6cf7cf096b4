// The profile and the contact details of the subaccount.

import { Button, Group, SimpleGrid, Stack, Switch, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import type { Settings } from "@server/doors/console/settings/schema.ts";
import type { ProfileChange } from "@server/webhooks/webhook-endpoints/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { meQuery, useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { subaccountsKey } from "../api/subaccounts.ts";
import { Facts } from "../parts/facts.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { settingsTexts } from "../texts/settings.ts";
import { ReceiptLogo } from "./receipt-logo.tsx";

type Profile = Settings["profile"];
type Field = keyof ProfileChange & keyof Profile;

const fields: readonly { name: Field; label: string; type?: string }[] = [
  { name: "title", label: "Title" },
  { name: "first_name", label: "First name" },
  { name: "last_name", label: "Last name" },
  { name: "email", label: "Email", type: "email" },
  { name: "support_email", label: "Support email", type: "email" },
  { name: "mobile_dialcode", label: "Mobile dial code", type: "tel" },
  { name: "mobile", label: "Mobile", type: "tel" },
  {
    name: "home_phone_international_dialcode",
    label: "Telephone country code",
    type: "tel",
  },
  { name: "home_telephone", label: "Telephone", type: "tel" },
];

export function SubaccountProfileTab({ settings }: { settings: Settings }) {
  return (
    <Stack gap="md">
      <Known settings={settings} />
      <ReceiptLogo settings={settings} />
      {settings.mode === "test" && <SecondUser settings={settings} />}
      <Contact settings={settings} />
    </Stack>
  );
}

function Known({ settings: { profile, mode, closed_at } }: { settings: Settings }) {
  const { address, suburb, state, country, postcode } = profile.address_data;
  const place = [address, suburb, state, postcode, country].filter(Boolean).join(", ");
  return (
    <Panel title="Subaccount">
      <Facts
        items={[
          { label: settingsTexts.name, value: profile.suba_name },
          { label: "ID", value: <IdChip id={profile.id} /> },
          { label: settingsTexts.mode, value: <Status of="mode" value={mode} /> },
          { label: settingsTexts.business, value: profile.business_name },
          {
            label: "Type",
            value: profile.business_or_individual === "B" ? settingsTexts.business : "Individual",
          },
          { label: "Address", value: place },
          { label: "Merchant ID", value: <IdChip id={profile.merchant_id} /> },
          { label: "Created", value: <When ms={Number(profile.created_at)} /> },
          closed_at !== null && { label: "Closed", value: <When ms={closed_at} /> },
        ]}
      />
    </Panel>
  );
}

/** Only in test mode, where no real money moves. */
function SecondUser({ settings }: { settings: Settings }) {
  const { id } = useSubaccount();
  const path = useApiOf()("/settings/second-user");
  const client = useQueryClient();
  const mayWrite = useMay("settings.write") && settings.closed_at === null;
  const set = useMutation({
    mutationFn: (is_needed: boolean) => send<Settings>("PUT", path, { is_needed }),
    onSuccess: async (after) => {
      client.setQueryData([id, "settings"], after);
      await client.invalidateQueries({ queryKey: meQuery.queryKey });
      await client.invalidateQueries({ queryKey: [subaccountsKey] });
    },
  });
  return (
    <Panel title="Four eyes">
      <Stack gap="xs">
        <Switch
          label="Practise with a second user"
          description="In test mode you can decide yourself what you have made. With this switch it waits for another user, as in live mode."
          checked={settings.needs_second_user}
          disabled={!mayWrite || set.isPending}
          onChange={(event) => set.mutate(event.currentTarget.checked)}
        />
        <Problem error={set.error} />
      </Stack>
    </Panel>
  );
}

function Contact({ settings: { profile, closed_at } }: { settings: Settings }) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const mayWrite = useMay("settings.write") && closed_at === null;
  const form = useForm<Record<string, string>>({
    initialValues: Object.fromEntries(fields.map(({ name }) => [name, profile[name]])),
  });
  const save = useMutation({
    mutationFn: (values: Record<string, string>) => {
      const changed = Object.entries(values).filter(
        ([name, value]) => value !== profile[name as Field],
      );
      return send<Settings>("PATCH", apiOf("/settings"), Object.fromEntries(changed));
    },
    onSuccess: (after) => {
      client.setQueryData([id, "settings"], after);
      const values = Object.fromEntries(fields.map(({ name }) => [name, after.profile[name]]));
      form.setInitialValues(values);
      form.setValues(values);
      notifications.show({ message: "Contact saved", color: "teal" });
    },
    onError: (error) => {
      if (error instanceof ApiProblem) form.setErrors(error.byField());
    },
  });
  return (
    <Panel title="Contact">
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack gap="md">
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            {fields.map(({ name, label, type = "text" }) => (
              <TextInput
                key={name}
                type={type}
                label={label}
                readOnly={!mayWrite}
                {...form.getInputProps(name)}
              />
            ))}
          </SimpleGrid>
          <Problem error={save.error} fields={Object.keys(form.values)} />
          {mayWrite && (
            <Group>
              <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
                {settingsTexts.save}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Panel>
  );
}
