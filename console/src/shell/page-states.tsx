// What is shown in place of a screen: while it loads, when there is none, and when it broke.

import { Alert, Button, Center, Group, Loader, Text } from "@mantine/core";
import { Link, useRouter } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { useEffect } from "react";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { EntryPage } from "./entry-page.tsx";
import { PageNotLoaded } from "./lazy-page.ts";

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

export function BrokenPage(props: Broken) {
  return (
    <Screen title={broken}>
      <WhyBroken {...props} />
    </Screen>
  );
}

export function BrokenEntry(props: Broken) {
  return (
    <EntryPage title={broken}>
      <WhyBroken {...props} />
    </EntryPage>
  );
}

function WhyBroken({ error, reset }: Broken) {
  const router = useRouter();
  const isNotLoaded = error instanceof PageNotLoaded;
  useReloadOfNewVersion(isNotLoaded);
  const retry = () => {
    reset();
    // Also what is loaded before a page is shown is loaded again.
    void router.invalidate();
  };
  if (!isNotLoaded) return <Problem error={error} onRetry={retry} />;
  return (
    <Alert color="red" variant="light" role="alert" icon={<CircleAlert size={18} aria-hidden />}>
      <Text size="sm" fw={500}>
        Can't reach the server, so this page could not be loaded. Go back, or try again.
      </Text>
      <Group mt="xs" gap="sm">
        <Button size="compact-sm" variant="default" onClick={retry}>
          Try again
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => router.history.back()}>
          Go back
        </Button>
      </Group>
    </Alert>
  );
}

/**
 * A newer console was put in place while this one was open: the code that it asks for is gone, but the server is
 * there. Only then the document is loaded again, and not a second time right after.
 */
function useReloadOfNewVersion(isNotLoaded: boolean): void {
  useEffect(() => {
    if (!isNotLoaded || performance.now() < 10_000) return;
    const address = window.location.href;
    fetch(address, { cache: "no-store" })
      .then(({ ok }) => ok && window.location.href === address && window.location.reload())
      .catch(() => undefined);
  }, [isNotLoaded]);
}

const broken = "This page did not load";
