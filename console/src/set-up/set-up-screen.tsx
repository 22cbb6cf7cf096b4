// Creates the account of an invited user. The link's token is behind its #, so it reaches no log.

import {
  Button,
  Checkbox,
  Input,
  Loader,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import type { InvitationFacts } from "@server/doors/console/login/schema.ts";
import type { Role } from "@server/tenants/roles/user.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { send } from "../api/call.ts";
import { canUsePasskeys, isGivenUp, setUpByPasskey } from "../api/passkey.ts";
import { ApiProblem } from "../api/problem.ts";
import { PageLink } from "../parts/page-link.tsx";
import { Problem } from "../parts/problem.tsx";
import { When } from "../parts/when.tsx";
import { EntryPage } from "../shell/entry-page.tsx";
import { setUpTexts } from "../texts/set-up.ts";
import { roleName } from "../users/roles.ts";

export function SetUpScreen() {
  const [token] = useState(() => window.location.hash.slice(1));
  const invitation = useQuery({
    queryKey: ["set-up", token],
    queryFn: () => send<InvitationFacts>("POST", "/set-up/look", { token }),
    enabled: token !== "",
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (invitation.data) return <SetUpForm token={token} invitation={invitation.data} />;
  if (token !== "" && invitation.isPending) {
    return (
      <EntryPage title={setUpTexts.setUpYourAccount}>
        <Loader size="sm" aria-label="Checking link" />
      </EntryPage>
    );
  }
  return (
    <EntryPage title="This link doesn't work">
      {token === "" ? (
        <Text size="sm">Open the complete link, including everything after the # sign.</Text>
      ) : (
        <Problem error={invitation.error} />
      )}
      <Text size="sm">
        Already have an account? <PageLink to="/sign-in">Sign in</PageLink>
      </Text>
    </EntryPage>
  );
}

function SetUpForm({ token, invitation }: { token: string; invitation: InvitationFacts }) {
  const [fields, setFields] = useState({
    name: invitation.name,
    email: invitation.email,
    password: "",
  });
  const first = invitation.first_admin;
  const [way, setWay] = useState<"password" | "passkey">("password");
  const wayId = useId();
  const setUp = useMutation({
    mutationFn: async () => {
      const { password, ...who } = fields;
      const given = { token, ...who, ...(first && { confirms: first.email }) };
      if (way === "passkey") await setUpByPasskey(given);
      else await send("POST", "/set-up", { ...given, password });
    },
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
    <EntryPage title={setUpTexts.setUpYourAccount} hint={hintOf(invitation)}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput label="Name" autoComplete="name" {...field("name")} />
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            {...field("email")}
            readOnly={invitation.email !== ""}
          />
          {canUsePasskeys() && (
            <div>
              <Input.Label id={wayId}>You will sign in</Input.Label>
              <SegmentedControl
                aria-labelledby={wayId}
                fullWidth
                data={[
                  { value: "password", label: "By password" },
                  { value: "passkey", label: "By passkey" },
                ]}
                value={way}
                onChange={setWay}
              />
            </div>
          )}
          {way === "password" ? (
            <PasswordInput
              label="Password"
              description="At least 12 characters. Tip: use a few random words."
              autoComplete="new-password"
              {...field("password")}
            />
          ) : (
            <Text size="sm">
              Your device asks for your fingerprint, face or PIN. There is no password to remember.
            </Text>
          )}
          {first && <OtherPerson first={first} />}
          {Object.keys(wrong).length === 0 && !isGivenUp(setUp.error) && (
            <Problem error={setUp.error} />
          )}
          <Button type="submit" fullWidth mt={4} loading={setUp.isPending || setUp.isSuccess}>
            {way === "passkey" ? "Create account with a passkey" : "Create account"}
          </Button>
        </Stack>
      </form>
    </EntryPage>
  );
}

function hintOf({ email, role, first_admin }: InvitationFacts): string {
  if (email !== "") return `Your role: ${roleName(role as Role)}.`;
  return first_admin
    ? "You become the second admin, and confirm the first. Then each of you can approve what the other made."
    : "You become the first admin. The other set-up link is for a second person, who confirms you.";
}

/** The second admin says that they and the first are two persons. The audit log keeps it. */
function OtherPerson({ first }: { first: NonNullable<InvitationFacts["first_admin"]> }) {
  return (
    <>
      <Checkbox
        required
        label={`I know ${first.name} (${first.email}), and I am another person.`}
      />
      <Text size="xs" c="dimmed">
        The first admin set up their account on <When ms={first.at} isDeadline />. The audit log
        records that you confirm them.
      </Text>
    </>
  );
}
