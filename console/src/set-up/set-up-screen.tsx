// Makes the account that a set-up link invites to. The link's token is behind its #, so it reaches no log.

import { Button, Loader, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { send } from "../api/call.ts";
import { ApiProblem } from "../api/problem.ts";
import { PageLink } from "../parts/page-link.tsx";
import { Problem } from "../parts/problem.tsx";
import { EntryPage } from "../shell/entry-page.tsx";

type Invitation = { email: string; name: string; role: string };

export function SetUpScreen() {
  const [token] = useState(() => window.location.hash.slice(1));
  const invitation = useQuery({
    queryKey: ["set-up", token],
    queryFn: () => send<Invitation>("POST", "/set-up/look", { token }),
    enabled: token !== "",
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (invitation.data) return <SetUpForm token={token} invitation={invitation.data} />;
  if (token !== "" && invitation.isPending) {
    return (
      <EntryPage title="Set up your account">
        <Loader size="sm" aria-label="Looking at the link" />
      </EntryPage>
    );
  }
  return (
    <EntryPage title="This link does not work">
      {token === "" ? (
        <Text size="sm">Open the whole link, with all that follows the # sign.</Text>
      ) : (
        <Problem error={invitation.error} />
      )}
      <Text size="sm">
        Have you set up your account already? <PageLink to="/log-in">Log in</PageLink>
      </Text>
    </EntryPage>
  );
}

function SetUpForm({ token, invitation }: { token: string; invitation: Invitation }) {
  const [fields, setFields] = useState({
    name: invitation.name,
    email: invitation.email,
    password: "",
  });
  const setUp = useMutation({
    mutationFn: () => send("POST", "/set-up", { token, ...fields }),
    onSuccess: () => window.location.assign("/console/"),
  });
  const problem = setUp.error instanceof ApiProblem ? setUp.error : undefined;
  const wrong = problem?.byField() ?? {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setUp.mutate();
  };
  const field = (name: keyof typeof fields) => ({
    value: fields[name],
    error: wrong[name],
    required: true,
    withAsterisk: false,
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setFields((before) => ({ ...before, [name]: value }));
    },
  });
  return (
    <EntryPage
      title="Set up your account"
      hint={`You will use the console as ${withArticle(invitation.role)}.`}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput label="Name" autoComplete="name" {...field("name")} />
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            {...field("email")}
            readOnly={invitation.email !== ""}
          />
          <PasswordInput
            label="Password"
            description="At least 12 characters. Some words in a row are good."
            autoComplete="new-password"
            {...field("password")}
          />
          {Object.keys(wrong).length === 0 && <Problem error={setUp.error} />}
          <Button type="submit" fullWidth mt={4} loading={setUp.isPending || setUp.isSuccess}>
            Create the account
          </Button>
        </Stack>
      </form>
    </EntryPage>
  );
}

function withArticle(role: string): string {
  if (role === "finance") return "somebody from finance";
  return /^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`;
}
