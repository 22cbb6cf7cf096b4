// The user lets a command line sign in, or declines. The code is typed here and never taken from the address: a link that
// someone sends can't sign them in.

import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import type { AskingLogin } from "@server/doors/console/account/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { send } from "../api/call.ts";
import { ApiProblem } from "../api/problem.ts";
import { Facts } from "../parts/facts.tsx";
import { TriangleAlert } from "../parts/icons.tsx";
import { InlineCode } from "../parts/inline-code.tsx";
import { LinkButton } from "../parts/link-button.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { When } from "../parts/when.tsx";
import styles from "./account.module.css";

type Decision = "confirm" | "decline";
type Asking = AskingLogin & { code: string };

export function CommandLineScreen() {
  const [asking, setAsking] = useState<Asking>();
  const [decided, setDecided] = useState<Decision>();
  const look = useMutation({
    mutationFn: async (code: string) => {
      const asked = await send<AskingLogin>("POST", "/command-line/look", { code });
      return { ...asked, code };
    },
    onSuccess: setAsking,
  });
  const decide = useMutation({
    mutationFn: (decision: Decision) =>
      send("POST", `/command-line/${decision}`, { code: asking?.code }),
    onSuccess: (_, decision) => setDecided(decision),
    onError: (error) => {
      // It has expired meanwhile.
      if (error instanceof ApiProblem && error.has("CONS218")) setAsking(undefined);
    },
  });
  const startAgain = () => {
    setAsking(undefined);
    setDecided(undefined);
  };
  return (
    <Screen>
      <div className={styles.steps}>
        {!asking && (
          <CodeForm
            error={look.error ?? decide.error}
            isPending={look.isPending}
            onCode={(code) => {
              decide.reset();
              look.mutate(code);
            }}
          />
        )}
        {asking && !decided && (
          <WhoAsks asking={asking}>
            <Problem error={decide.error} />
            <Group gap="xs">
              <Button loading={decide.isPending} onClick={() => decide.mutate("confirm")}>
                Sign in the command line
              </Button>
              <Button
                variant="default"
                disabled={decide.isPending}
                onClick={() => decide.mutate("decline")}
              >
                Decline
              </Button>
            </Group>
          </WhoAsks>
        )}
        {asking && decided && (
          <Decided decision={decided} client={asking.client} onAgain={startAgain} />
        )}
      </div>
    </Screen>
  );
}

function CodeForm({
  error,
  isPending,
  onCode,
}: {
  error: unknown;
  isPending: boolean;
  onCode: (code: string) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const [code, setCode] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onCode(code);
  };
  return (
    <Panel>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            ref={field}
            label="Code"
            description={<InlineCode text="Your terminal shows it after `disburse login`." />}
            classNames={{ input: styles.code as string }}
            placeholder="XXXX-XXXX"
            maxLength={20}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            required
            withAsterisk={false}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Problem error={error} />
          <Group>
            <Button type="submit" loading={isPending}>
              Continue
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

function WhoAsks({
  asking: { client, ip, your_ip, created_at, expires_at },
  children,
}: {
  asking: Asking;
  children: ReactNode;
}) {
  return (
    <Step title="A command line asks to sign in as you">
      <Facts
        items={[
          { label: "Computer", value: `calls itself ${client}` },
          { label: "IP address", value: ip },
          { label: "Asked", value: <When ms={created_at} /> },
          { label: "Code works until", value: <When ms={expires_at} isDeadline /> },
        ]}
      />
      {ip !== your_ip && (
        <Alert color="yellow" variant="light" icon={<TriangleAlert size={18} aria-hidden />}>
          {`This browser has another IP address: ${your_ip}. Decline unless you started the command on another network.`}
        </Alert>
      )}
      <Text size="sm">
        Once signed in, it can do everything that you can do, for 12 hours. It can approve only
        within five minutes after you confirm your identity here.
      </Text>
      <Text size="sm" fw={600}>
        <InlineCode text="Continue only if you started `disburse login` yourself just now. If someone sent you a code, decline." />
      </Text>
      {children}
    </Step>
  );
}

function Decided({
  decision,
  client,
  onAgain,
}: {
  decision: Decision;
  client: string;
  onAgain: () => void;
}) {
  if (decision === "decline") {
    return (
      <Step title="Declined">
        <Text size="sm">
          {`The command line on ${client} is not signed in. If someone sent you the code, tell an admin.`}
        </Text>
        <Group>
          <Button variant="default" onClick={onAgain}>
            Type another code
          </Button>
        </Group>
      </Step>
    );
  }
  return (
    <Step title="Return to your terminal">
      <Text size="sm">
        {`The command line on ${client} is now signed in as you, for 12 hours. You can end its session earlier.`}
      </Text>
      <Group>
        <LinkButton to="/account">Your sessions</LinkButton>
      </Group>
    </Step>
  );
}

/** Takes the focus from the button that led here. */
function Step({ title, children }: { title: string; children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => body.current?.focus(), []);
  return (
    <Panel title={title}>
      <Stack
        gap="md"
        ref={body}
        tabIndex={-1}
        role="group"
        aria-label={title}
        className={styles.step as string}
      >
        {children}
      </Stack>
    </Panel>
  );
}
