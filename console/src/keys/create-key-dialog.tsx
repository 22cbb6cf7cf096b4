// Makes a key. Its secret is handed on, to be shown this once.

import { Button, Checkbox, Group, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { IssuedSecret } from "@server/console/keys/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { FormModal } from "../parts/form-modal.tsx";
import type { Secret } from "../parts/one-time-secret.tsx";
import { Problem } from "../parts/problem.tsx";
import { momentsOf } from "../state/day-range.ts";
import { useZone } from "../state/zone.ts";

type Props = { onSecret: (secret: Secret) => void; onClose: () => void };

export function CreateKeyDialog({ opened, ...form }: { opened: boolean } & Props) {
  return (
    <FormModal opened={opened} onClose={form.onClose} title="Create a key">
      <CreateKeyForm {...form} />
    </FormModal>
  );
}

const scopes = [
  { value: "read", label: "Read", hint: "receivers, payouts, events, balances" },
  { value: "write", label: "Write", hint: "receivers, accounts, where events go" },
  { value: "payout", label: "Pay out", hint: "move money" },
  { value: "bank_details", label: "Change bank details", hint: "where money goes" },
];
const moneyScopes = ["payout", "bank_details"];

function CreateKeyForm({ onSecret, onClose }: Props) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const zone = useZone();
  const mayPay = useMay("keys.money");
  const client = useQueryClient();
  const form = useForm({
    initialValues: {
      name: "",
      scopes: ["read"],
      addresses: "",
      version2Only: true,
      expires: "",
    },
  });
  const create = useMutation({
    mutationFn: async ({ name, version2Only, expires, ...values }: typeof form.values) => {
      const { to: expiresAt } = momentsOf({ to: expires }, zone);
      const issued = await send<IssuedSecret>("POST", apiOf("/keys"), {
        ...{ name, scopes: values.scopes, version2_only: version2Only },
        addresses: values.addresses.split(/[\s,]+/).filter(Boolean),
        ...(expiresAt !== undefined && { expires_at: expiresAt }),
      });
      void client.invalidateQueries({ queryKey: [id, "keys"] });
      void client.invalidateQueries({ queryKey: [id, "quickstart"] });
      onClose();
      onSecret(keySecret(`The secret of “${name}”`, issued));
    },
    onError: (error) => {
      if (error instanceof ApiProblem) form.setErrors(error.byField());
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="What it is used for, such as “shop, production”"
          required
          data-autofocus
          {...form.getInputProps("name")}
        />
        <Checkbox.Group label="It may" required {...form.getInputProps("scopes")}>
          <Stack gap={6} mt={6}>
            {scopes
              .filter(({ value }) => mayPay || !moneyScopes.includes(value))
              .map(({ value, label, hint }) => (
                <Checkbox key={value} value={value} label={`${label}: ${hint}`} />
              ))}
          </Stack>
        </Checkbox.Group>
        <Textarea
          label="Only from these addresses"
          description="Addresses or CIDR ranges, such as 203.0.113.0/24. Empty: from anywhere."
          minRows={2}
          {...form.getInputProps("addresses")}
        />
        <TextInput
          type="date"
          label="Last day"
          description="Empty: until it is revoked"
          {...form.getInputProps("expires")}
          error={form.errors.expires_at}
        />
        <Switch
          label="Only version 2 of the signature, which covers the whole request"
          {...form.getInputProps("version2Only", { type: "checkbox" })}
        />
        <Problem error={create.error} fields={Object.keys(form.values)} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={create.isPending}
            disabled={form.values.name.trim() === ""}
          >
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function keySecret(title: string, { key, secret, awaits_approval }: IssuedSecret): Secret {
  const waits = awaits_approval ? ". It works once another person has approved it" : "";
  return {
    ...{ title, label: `Signs the calls of ${key}${waits}`, value: secret },
    env: [
      ["DISBURSE_BASE_URL", window.location.origin],
      ["DISBURSE_API_KEY", key],
      ["DISBURSE_API_SECRET", secret],
    ],
  };
}
