// Asks users to confirm their identity when a request needs it, then lets the request continue.

import { Button, Divider, Group, Loader, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import type { StepUpWays } from "@server/doors/console/account/schema.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { get, send } from "../api/call.ts";
import { leaveForCompany } from "../api/company-login.ts";
import { useMe } from "../api/me.ts";
import { canUsePasskeys, confirmByPasskey, isGivenUp } from "../api/passkey.ts";
import { ApiProblem } from "../api/problem.ts";
import { onConfirmAsked, settleConfirm } from "../api/step-up.ts";
import { Building2, Fingerprint } from "../parts/icons.tsx";
import { Problem } from "../parts/problem.tsx";
import { shellTexts } from "../texts/shell.ts";

export function StepUpDialog() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => onConfirmAsked(setOpen), []);
  return (
    <Modal
      opened={isOpen}
      onClose={() => settleConfirm(false)}
      title="Confirm your identity"
      size="sm"
      zIndex={400}
    >
      <Ways />
    </Modal>
  );
}

/** Only the methods that the user has. */
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
      <Loader size="sm" aria-label={shellTexts.loading} />
    );
  }
  const others = [
    data.passkey && canUsePasskeys() && <ByPasskey key="passkey" />,
    data.oidc && <ByCompany key="company" name={data.oidc.name} />,
  ].filter(Boolean);
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Confirm your identity to continue (valid for 5 minutes).
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
  // The server's text names the email, which this form doesn't ask for.
  const isWrong = confirm.error instanceof ApiProblem && confirm.error.has("CONS201");
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
          error={isWrong && "Wrong password. Try again."}
          onChange={(event) => setPassword(event.currentTarget.value)}
          ref={field}
        />
        <Problem error={isWrong ? null : confirm.error} />
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

/** Leaves the page, so the action is lost and the user repeats it afterwards. */
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
        {`Confirm with ${name}, then repeat the action here`}
      </Button>
      <Problem error={leave.error} />
    </>
  );
}
