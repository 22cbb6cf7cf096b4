// Asks the person to prove who they are, when a call wants that, and lets the call go on.

import { Button, Divider, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import type { StepUpWays } from "@server/operator/account/schema.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Building2, Fingerprint } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { get, send } from "../api/call.ts";
import { useMe } from "../api/me.ts";
import { canUsePasskeys, confirmByPasskey, isGivenUp } from "../api/passkey.ts";
import { onConfirmAsked, settleConfirm } from "../api/step-up.ts";
import { Problem } from "../parts/problem.tsx";

export function StepUpDialog() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => onConfirmAsked(setOpen), []);
  return (
    <Modal
      opened={isOpen}
      onClose={() => settleConfirm(false)}
      title="Confirm that it is you"
      size="sm"
      zIndex={400}
    >
      <StepUpForm />
    </Modal>
  );
}

function StepUpForm() {
  const { email } = useMe();
  const { data: ways } = useQuery({
    queryKey: ["step-up"],
    queryFn: ({ signal }) => get<StepUpWays>("/step-up", {}, signal),
  });
  const [password, setPassword] = useState("");
  const byPassword = useMutation({
    mutationFn: () => send("POST", "/step-up", { password }),
    onSuccess: () => settleConfirm(true),
  });
  const byPasskey = useMutation({
    mutationFn: confirmByPasskey,
    onSuccess: () => settleConfirm(true),
  });
  const byCompany = useMutation({ mutationFn: confirmByCompany });
  const passkeyError = isGivenUp(byPasskey.error) ? null : byPasskey.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    byPassword.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          This needs a fresh proof. It counts for five minutes.
        </Text>
        {/* So that a password manager knows whose password is asked for. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        {ways?.password && (
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            data-autofocus
          />
        )}
        <Problem error={byPassword.error ?? passkeyError ?? byCompany.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => settleConfirm(false)}>
            Cancel
          </Button>
          {ways?.password && (
            <Button type="submit" loading={byPassword.isPending} disabled={password === ""}>
              Confirm
            </Button>
          )}
        </Group>
        {ways?.passkey && canUsePasskeys() && (
          <>
            {ways.password && <Divider label="or" />}
            <Button
              variant="default"
              leftSection={<Fingerprint size={16} aria-hidden />}
              loading={byPasskey.isPending}
              onClick={() => byPasskey.mutate()}
            >
              Use a passkey
            </Button>
          </>
        )}
        {ways?.oidc && !ways.password && !ways.passkey && (
          <Button
            leftSection={<Building2 size={16} aria-hidden />}
            loading={byCompany.isPending}
            onClick={() => byCompany.mutate()}
          >
            Log in again with {ways.oidc.name}
          </Button>
        )}
      </Stack>
    </form>
  );
}

/** Leads away and back to this page, where what was to be done has to be done anew. */
async function confirmByCompany(): Promise<void> {
  const { pathname, search } = window.location;
  const next = `${pathname.slice("/console".length)}${search}`;
  const { url } = await send<{ url: string }>("POST", "/auth/sign-in/oidc", { next, again: true });
  window.location.assign(url);
}
