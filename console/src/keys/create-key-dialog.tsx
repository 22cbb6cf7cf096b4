// Creates an API key. Its secret is shown once.

import { Checkbox, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { IssuedSecret } from "@server/tenants/api-keys/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApprover } from "../api/approver.ts";
import { send } from "../api/call.ts";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { DialogForm, FormDialog } from "../parts/form-dialog.tsx";
import type { Secret } from "../parts/one-time-secret.tsx";
import { momentsOf } from "../state/day-range.ts";
import { useZone } from "../state/zone.ts";
import { keysTexts } from "../texts/keys.ts";

type Props = { onSecret: (secret: Secret) => void; onClose: () => void };

export function CreateKeyDialog({ opened, ...form }: { opened: boolean } & Props) {
  return (
    <FormDialog opened={opened} onClose={form.onClose} title={keysTexts.createApiKey}>
      <CreateKeyForm {...form} />
    </FormDialog>
  );
}

const scopes = [
  { value: "read", label: "Read", hint: "receivers, payouts, events, balances" },
  { value: "write", label: "Write", hint: "receivers, bank accounts, webhook endpoint" },
  { value: "payout", label: "Pay out", hint: "move money" },
  {
    value: "bank_details",
    label: "Change bank details",
    hint: "accounts that receive money",
  },
];
const moneyScopes = ["payout", "bank_details"];

function CreateKeyForm({ onSecret, onClose }: Props) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const approver = useApprover("keys.approve");
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
        name,
        scopes: values.scopes,
        version2_only: version2Only,
        addresses: values.addresses.split(/[\s,]+/).filter(Boolean),
        ...(expiresAt !== undefined && { expires_at: expiresAt }),
      });
      void client.invalidateQueries({ queryKey: [id, "keys"] });
      void client.invalidateQueries({ queryKey: [id, "quickstart"] });
      onClose();
      onSecret(keySecret(`Secret of “${name}”`, issued, approver.within));
    },
    onError: (error) => {
      if (error instanceof ApiProblem) form.setErrors(error.byField());
    },
  });
  return (
    <DialogForm
      act={create}
      label={keysTexts.createApiKey}
      isReady={!(form.values.name.trim() === "")}
      fields={Object.keys(form.values)}
      onSubmit={form.onSubmit((values) => create.mutate(values))}
      onClose={onClose}
    >
      <TextInput
        label={keysTexts.name}
        description="What the key is used for, for example “shop, production”"
        required
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Checkbox.Group label={keysTexts.permissions} required {...form.getInputProps("scopes")}>
        <Stack gap={6} mt={6}>
          {scopes
            .filter(({ value }) => mayPay || !moneyScopes.includes(value))
            .map(({ value, label, hint }) => (
              <Checkbox key={value} value={value} label={`${label}: ${hint}`} />
            ))}
        </Stack>
      </Checkbox.Group>
      <Textarea
        label={keysTexts.allowedIpAddresses}
        description="IP addresses or CIDR ranges, for example 203.0.113.0/24. Empty: any address."
        minRows={2}
        {...form.getInputProps("addresses")}
      />
      <TextInput
        type="date"
        label="Expires on"
        description="Empty: never expires"
        {...form.getInputProps("expires")}
        error={form.errors.expires_at}
      />
      <Switch
        label="Require signature version 2, which covers the whole request"
        {...form.getInputProps("version2Only", { type: "checkbox" })}
      />
    </DialogForm>
  );
}

/** If it needs approval, the user reads who approves it and `until`. */
export function keySecret(
  title: string,
  { key, secret, awaits_approval }: IssuedSecret,
  approver = "another user",
  { works, until } = { works: "The key works", until: "" },
): Secret {
  return {
    title,
    label: `Signs requests of ${key}${awaits_approval ? `. ${works} after ${approver} has approved it${until}` : ""}`,
    value: secret,
    env: [
      ["DISBURSE_BASE_URL", window.location.origin],
      ["DISBURSE_API_KEY", key],
      ["DISBURSE_API_SECRET", secret],
    ],
  };
}
