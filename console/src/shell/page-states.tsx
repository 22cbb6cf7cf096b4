// What is shown in place of a screen: while it loads, when there is none, and when it broke.

import { Button, Center, Group, Loader, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { EntryPage } from "./entry-page.tsx";

export function PageLoading() {
  return (
    <Center mih={200}>
      <Loader size="sm" role="status" aria-label="Loading" />
    </Center>
  );
}

export function MissingPage() {
  return (
    <Screen title={missing.title}>
      <Text c="dimmed">{missing.text}</Text>
      <Group>
        <ToStart />
      </Group>
    </Screen>
  );
}

/** The same where there is no shell around it. */
export function MissingEntry() {
  return (
    <EntryPage title={missing.title} hint={missing.text}>
      <ToStart />
    </EntryPage>
  );
}

const missing = {
  title: "There is no such page",
  text: "The address may be mistyped, or the page is gone.",
};

function ToStart() {
  return (
    <Button variant="default" renderRoot={(props) => <Link {...props} to="/" />}>
      To the start
    </Button>
  );
}

type Broken = { error: unknown; reset: () => void };

export function BrokenPage({ error, reset }: Broken) {
  return (
    <Screen title={broken}>
      <Problem error={error} onRetry={reset} />
    </Screen>
  );
}

export function BrokenEntry({ error, reset }: Broken) {
  return (
    <EntryPage title={broken}>
      <Problem error={error} onRetry={reset} />
    </EntryPage>
  );
}

const broken = "This page did not load";
