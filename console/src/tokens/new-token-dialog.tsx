// Makes an operator token. It is shown once.

import { Alert, Select, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { Role } from "@server/tenants/roles/user.ts";
import { useMutation } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { ApiProblem } from "../api/problem.ts";
import { useSubaccountsOf } from "../api/subaccounts.ts";
import { DialogForm, FormDialog } from "../parts/form-dialog.tsx";
import { CircleCheck, Hourglass } from "../parts/icons.tsx";
import type { Secret } from "../parts/one-time-secret.tsx";
import { SubaccountsField } from "../parts/subaccounts-field.tsx";
import { useNow } from "../state/now.ts";
import { useZone } from "../state/zone.ts";
import { tokensTexts } from "../texts/tokens.ts";
import { roleChoices, roleName } from "../users/roles.ts";
import { expiresAtOf, isoDayIn } from "./expiry.ts";

type Props = {
  rolesThatWait: readonly string[];
  onMade: (secret: Secret) => void;
  onClose: () => void;
};

export function NewTokenDialog({ opened, ...form }: { opened: boolean } & Props) {
  return (
    <FormDialog opened={opened} onClose={form.onClose} title={tokensTexts.newToken}>
      <NewTokenForm {...form} />
    </FormDialog>
  );
}

/** What a program may do with a token of the role. No token approves. */
const hints: Record<Role, string> = {
  admin: "Does what an admin does, except approve, invite users and make tokens",
  operator: "Makes payouts, and manages receivers, keys, webhooks and settings; approves nothing",
  approver: "Only reads: tokens never approve",
  finance: "Reads and exports everything, freezes bank files, closes months",
  developer: "Data, test keys and webhooks of its subaccounts",
  auditor: "Reads everything, changes nothing",
  compliance: "Reads everything, imports sanctions lists, refuses cases; clears none",
};

const spans = [
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "date", label: "On a date" },
];

function NewTokenForm({ rolesThatWait, onMade, onClose }: Props) {
  const zone = useZone();
  const nowMs = useNow();
  const form = useForm({
    initialValues: {
      name: "",
      role: "auditor" as Role,
      reach: "all",
      subaccount_ids: [] as string[],
      addresses: "",
      span: "30",
      day: "",
    },
  });
  const { name, role, reach, subaccount_ids: ids, addresses, span, day } = form.values;
  const isOfSome = role === "developer" || reach === "some";
  const create = useMutation({
    mutationFn: async () => {
      const made = await send<{ token: string; awaits_approval: boolean }>("POST", "/tokens", {
        name: name.trim(),
        role,
        ...(isOfSome && { subaccount_ids: ids }),
        addresses: addresses.split(/[\s,]+/).filter(Boolean),
        expires_at: expiresAtOf({ span, day }, Date.now(), zone),
      });
      onClose();
      onMade(tokenSecret(name.trim(), made));
    },
    onError: (error) => {
      if (error instanceof ApiProblem) form.setErrors(error.byField());
    },
  });
  const isReady =
    name.trim() !== "" && (!isOfSome || ids.length > 0) && (span !== "date" || day !== "");
  return (
    <DialogForm
      act={create}
      label={tokensTexts.newToken}
      isReady={isReady}
      fields={["name", "role", "subaccount_ids", "addresses", "expires_at"]}
      onSubmit={form.onSubmit(() => create.mutate())}
      onClose={onClose}
    >
      <TextInput
        label={tokensTexts.name}
        description="The program that uses it, for example “CI”. The audit log shows this name."
        required
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Select
        label={tokensTexts.role}
        description={hints[role]}
        inputWrapperOrder={["label", "input", "description", "error"]}
        data={roleChoices}
        allowDeselect={false}
        {...form.getInputProps("role")}
      />
      {role !== "developer" && (
        <Select
          label={tokensTexts.subaccounts}
          {...(isOfSome && {
            description: "It reaches only these, and no pages of the company, such as bank files.",
          })}
          inputWrapperOrder={["label", "input", "description", "error"]}
          data={[
            { value: "all", label: tokensTexts.allSubaccounts },
            { value: "some", label: "Some subaccounts" },
          ]}
          allowDeselect={false}
          {...form.getInputProps("reach")}
        />
      )}
      {isOfSome && (
        <SubaccountsField
          label={role === "developer" ? tokensTexts.subaccounts : "Which subaccounts"}
          placeholder="Choose subaccounts"
          value={ids}
          error={form.errors.subaccount_ids as string | undefined}
          onChange={(chosen) => form.setFieldValue("subaccount_ids", chosen)}
        />
      )}
      <Textarea
        label="Allowed IP addresses"
        description="IP addresses or CIDR ranges, for example 203.0.113.0/24. Empty: any address."
        minRows={2}
        {...form.getInputProps("addresses")}
      />
      <Select
        label={tokensTexts.expires}
        data={spans}
        allowDeselect={false}
        {...form.getInputProps("span")}
        {...(span !== "date" && { error: form.errors.expires_at })}
      />
      {span === "date" && (
        <TextInput
          type="date"
          label="Expires at the end of"
          description="90 days from now at the latest"
          min={isoDayIn(0, nowMs, zone)}
          max={isoDayIn(89, nowMs, zone)}
          {...form.getInputProps("day")}
          error={form.errors.expires_at}
        />
      )}
      {(!isOfSome || ids.length > 0) && (
        <Waits role={role} isWeighty={rolesThatWait.includes(role)} ids={isOfSome ? ids : null} />
      )}
    </DialogForm>
  );
}

/** Whether the token will wait for a second admin, and why. The server decides. */
function Waits({
  role,
  isWeighty,
  ids,
}: {
  role: Role;
  isWeighty: boolean;
  /** Null: all. */
  ids: readonly string[] | null;
}) {
  const chosen = useSubaccountsOf(ids ?? []);
  const live = chosen.filter(({ mode }) => mode === "live");
  const name = roleName(role).toLowerCase();
  if (isWeighty && (ids === null || live.length > 0)) {
    const where = ids === null ? "all subaccounts" : live.map((one) => one.name).join(", ");
    return (
      <Alert
        variant="light"
        color="yellow"
        icon={<Hourglass size={18} aria-hidden />}
        title="Another admin has to approve it"
      >
        {`A token with the role ${name} may do more than read in live mode, in ${where}. Until another admin has approved it, it does not work.`}
      </Alert>
    );
  }
  return (
    <Alert
      variant="light"
      color="teal"
      icon={<CircleCheck size={18} aria-hidden />}
      title="It works at once"
    >
      {isWeighty
        ? "It reaches only subaccounts in test mode."
        : `A token with the role ${name} moves no money and widens no access in live mode.`}
    </Alert>
  );
}

function tokenSecret(
  name: string,
  { token, awaits_approval }: { token: string; awaits_approval: boolean },
): Secret {
  const { origin } = window.location;
  return {
    title: `Token “${name}”`,
    label: awaits_approval
      ? "Operator token. It works after another admin has approved it, under Approvals"
      : "Operator token",
    value: token,
    whenLost: "revoke it and make another token",
    env: [
      ["DISBURSE_BASE_URL", origin],
      ["DISBURSE_OPERATOR_TOKEN", token],
    ],
    example: {
      label: "First call, with these variables",
      text: [
        'curl "$DISBURSE_BASE_URL/operator/v1/me" \\',
        '  -H "Authorization: Bearer $DISBURSE_OPERATOR_TOKEN"',
      ].join("\n"),
    },
  };
}
