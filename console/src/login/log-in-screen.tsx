// Lets a person in: by password, by passkey, or by the company's own log-in where that is set up.

import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Building2, Fingerprint } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { get, send } from "../api/call.ts";
import { leaveForCompany } from "../api/company-log-in.ts";
import { canUsePasskeys, isGivenUp, logInByPasskey } from "../api/passkey.ts";
import { Problem } from "../parts/problem.tsx";
import { EntryPage } from "../shell/entry-page.tsx";
import { useFilters } from "../state/filters.ts";

type AuthOptions = { passkey: boolean; oidc: { name: string } | null };

/** Told in the address, on the way back from there. */
const refusedByCompany: Record<string, string> = {
  CONS210: "Your company's log-in does not answer. Try again, or use your password.",
  CONS211:
    "Your company's log-in did not let you in. Ask an admin whether you were invited under the e-mail " +
    "address that you have there.",
  CONS212:
    "Your company's log-in did not ask you to confirm that it is you. Sign in there with your password or " +
    "passkey, and come back within a minute.",
};

export function LogInScreen() {
  const [{ next = "/", refused, reason }] = useFilters();
  const options = useQuery({
    queryKey: ["auth-options"],
    queryFn: ({ signal }) => get<AuthOptions>("/auth-options", {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  // A fresh page: what another person may have left in memory is gone. Never to another site: it is a path of ours.
  const enter = () => window.location.assign(`/console${next.startsWith("/") ? next : "/"}`);
  const passkey = useMutation({ mutationFn: logInByPasskey, onSuccess: enter });
  const company = useMutation({ mutationFn: () => leaveForCompany({ next }) });
  const { passkey: hasPasskey, oidc } = options.data ?? {};
  const others = [
    hasPasskey && canUsePasskeys() && (
      <Button
        key="passkey"
        variant="default"
        fullWidth
        leftSection={<Fingerprint size={16} aria-hidden />}
        loading={passkey.isPending}
        onClick={() => passkey.mutate()}
      >
        Log in with a passkey
      </Button>
    ),
    oidc && (
      <Button
        key="company"
        variant="default"
        fullWidth
        leftSection={<Building2 size={16} aria-hidden />}
        loading={company.isPending}
        onClick={() => company.mutate()}
      >
        Continue with {oidc.name}
      </Button>
    ),
  ].filter(Boolean);
  return (
    <EntryPage title="Log in to Disburse">
      {reason === "ended" && (
        <Alert color="gray" role="status" variant="light">
          Your session has ended. Sign in to continue where you were.
        </Alert>
      )}
      <PasswordForm onEntered={enter} />
      {others.length > 0 && (
        <Stack gap="xs">
          <Divider label="or" mb={4} />
          {others}
        </Stack>
      )}
      {refused && (
        <Alert color="red" role="alert" variant="light">
          {refusedByCompany[refused] ?? "Your company's log-in did not let you in."}
        </Alert>
      )}
      <Problem error={(isGivenUp(passkey.error) ? null : passkey.error) ?? company.error} />
    </EntryPage>
  );
}

function PasswordForm({ onEntered }: { onEntered: () => void }) {
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const logIn = useMutation({
    mutationFn: () => send("POST", "/auth/sign-in/email", { email: email.trim(), password }),
    onSuccess: onEntered,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    logIn.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          ref={first}
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Problem error={logIn.error} />
        <Button type="submit" fullWidth mt={4} loading={logIn.isPending || logIn.isSuccess}>
          Log in
        </Button>
      </Stack>
    </form>
  );
}
