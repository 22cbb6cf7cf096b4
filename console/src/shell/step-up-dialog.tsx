// Asks the person to prove who they are, when a call wants that, and lets the call go on.

import { Button, Divider, Group, Loader, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import type { StepUpWays } from "@server/console/account/schema.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { Building2, Fingerprint } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { get, send } from "../api/call.ts";
import { leaveForCompany } from "../api/company-log-in.ts";
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
      <Ways />
    </Modal>
  );
}

/** Only those that the person has. */
function Ways() {
  const { data, error, refetch } = useQuery({
    queryKey: ["step-up"],
    queryFn: ({ signal }) => get<StepUpWays>("/step-up", {}, signal),
    staleTime: 0,
  });
  if (!data) {
    return error ? (
      <Problem error={error} onRetry={() => void refetch()} />
    ) : (
      <Loader size="sm" aria-label="Loading" />
    );
  }
  const others = [
    data.passkey && canUsePasskeys() && <ByPasskey key="passkey" />,
    data.oidc && <ByCompany key="company" name={data.oidc.name} />,
  ].filter(Boolean);
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        This needs a fresh proof. It counts for five minutes.
      </Text>
      {data.password && <ByPassword />}
      {data.password && others.length > 0 && <Divider label="or" />}
      {others}
    </Stack>
  );
}

function ByPassword() {
  const { email } = useMe();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const [password, setPassword] = useState("");
  const confirm = useMutation({
    mutationFn: () => send("POST", "/step-up", { password }),
    onSuccess: () => settleConfirm(true),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {/* So that a password manager knows whose password is asked for. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          ref={field}
        />
        <Problem error={confirm.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => settleConfirm(false)}>
            Cancel
          </Button>
          <Button type="submit" loading={confirm.isPending} disabled={password === ""}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function ByPasskey() {
  const confirm = useMutation({
    mutationFn: confirmByPasskey,
    onSuccess: () => settleConfirm(true),
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<Fingerprint size={16} aria-hidden />}
        loading={confirm.isPending}
        onClick={() => confirm.mutate()}
      >
        Use a passkey
      </Button>
      <Problem error={isGivenUp(confirm.error) ? null : confirm.error} />
    </>
  );
}

/** Leads away, so what was asked for is lost: the person does it again afterwards. */
function ByCompany({ name }: { name: string }) {
  const { href } = useLocation();
  const leave = useMutation({ mutationFn: () => leaveForCompany({ next: href, again: true }) });
  return (
    <>
      <Button
        variant="default"
        leftSection={<Building2 size={16} aria-hidden />}
        loading={leave.isPending}
        onClick={() => leave.mutate()}
      >
        Confirm with {name}, then do it again here
      </Button>
      <Problem error={leave.error} />
    </>
  );
}
