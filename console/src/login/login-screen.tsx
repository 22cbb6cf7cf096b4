// Signs a user in: by password, by passkey, or with the company's identity provider.

import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { get, send } from "../api/call.ts";
import { leaveForCompany } from "../api/company-login.ts";
import { canUsePasskeys, isGivenUp, signInByPasskey } from "../api/passkey.ts";
import { Building2, Fingerprint } from "../parts/icons.tsx";
import { Problem } from "../parts/problem.tsx";
import { EntryPage } from "../shell/entry-page.tsx";
import { useFilters } from "../state/filters.ts";

type AuthOptions = { passkey: boolean; oidc: { name: string } | null };

/** The message for each code that the identity provider's redirect may bring. */
const refusedByCompany: Record<string, string> = {
  CONS210: "Your company's sign-in does not respond. Try again, or use your password.",
  CONS211:
    "Your company's sign-in did not let you in. Ask an admin whether you were invited with the email that you use there.",
  CONS212:
    "Your company's sign-in did not ask you to confirm your identity. Sign in there with your password or passkey, and come back within a minute.",
};

/** Why the session is over. */
const reasons: Record<string, string> = {
  ended:
    "Your session has ended. Sign in to continue where you were. A session lasts 12 hours, and ends when it is ended from another browser or by an admin.",
  idle: "Your session has ended after 30 minutes without activity. Sign in to continue where you were.",
};

export function LoginScreen() {
  const [{ next = "/", refused, reason }] = useFilters();
  const options = useQuery({
    queryKey: ["auth-options"],
    queryFn: ({ signal }) => get<AuthOptions>("/auth-options", {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  // A full page load, so that nothing of another user stays in memory. Only paths of ours, never another site.
  const enter = () => window.location.assign(`/console${next.startsWith("/") ? next : "/"}`);
  const passkey = useMutation({ mutationFn: signInByPasskey, onSuccess: enter });
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
        Sign in with a passkey
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
        {`Continue with ${oidc.name}`}
      </Button>
    ),
  ].filter(Boolean);
  return (
    <EntryPage title="Sign in to Disburse">
      {reason && reasons[reason] && (
        <Alert color="gray" role="status" variant="light">
          {reasons[reason]}
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
          {refusedByCompany[refused] ?? "Your company's sign-in did not let you in."}
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
  const signIn = useMutation({
    mutationFn: () => send("POST", "/auth/sign-in/email", { email: email.trim(), password }),
    onSuccess: onEntered,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          ref={first}
          label="Email"
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
        <Problem error={signIn.error} />
        <Button type="submit" fullWidth mt={4} loading={signIn.isPending || signIn.isSuccess}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
