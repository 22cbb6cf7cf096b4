// Placeholders for a screen: loading, not found, and failed.

import { Alert, Button, Center, Group, Loader, Text } from "@mantine/core";
import { Link, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { useIsReachable } from "../api/reachable.ts";
import { CircleAlert } from "../parts/icons.tsx";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { reloads } from "../state/remembered.ts";
import { shellTexts } from "../texts/shell.ts";
import { EntryPage } from "./entry-page.tsx";
import { PageNotLoaded } from "./lazy-page.ts";

export function PageLoading() {
  return (
    <Center mih={200}>
      <Loader size="sm" role="status" aria-label={shellTexts.loading} />
    </Center>
  );
}

/** A screen whose data is loading, or could not be loaded. */
export function LoadingScreen({
  title,
  above,
  error,
  onRetry,
}: {
  title?: string;
  above?: ReactNode;
  error: unknown;
  onRetry: () => unknown;
}) {
  return (
    <Screen {...(title === undefined ? {} : { title })} above={above}>
      {error ? <Problem error={error} onRetry={() => void onRetry()} /> : <PageLoading />}
    </Screen>
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
  title: "Page not found",
  text: "Check the address, or go to the overview.",
};

function ToStart() {
  return (
    <Button variant="default" renderRoot={(props) => <Link {...props} to="/" />}>
      Go to overview
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
  useBackAgain(retry);
  if (!isNotLoaded) return <Problem error={error} onRetry={retry} />;
  return (
    <Alert color="red" variant="light" role="alert" icon={<CircleAlert size={18} aria-hidden />}>
      <Text size="sm" fw={500}>
        Can't reach the server, so this page could not be loaded. Go back, or try again.
      </Text>
      <Group mt="xs" gap="sm">
        <Button size="compact-sm" variant="default" onClick={retry}>
          {shellTexts.tryAgain}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => router.history.back()}>
          Go back
        </Button>
      </Group>
    </Alert>
  );
}

/** Loads the page by itself when the server responds again. */
function useBackAgain(retry: () => void): void {
  const isReachable = useIsReachable();
  const wasAway = useRef(false);
  useEffect(() => {
    if (isReachable && wasAway.current) retry();
    wasAway.current = !isReachable;
  });
}

/**
 * A newer console was deployed while this one was open: the code that it needs is gone, but the server responds. Only
 * then is the document reloaded, and not a second time right after.
 */
function useReloadOfNewVersion(isNotLoaded: boolean): void {
  useEffect(() => {
    if (!isNotLoaded) return;
    const address = window.location.href;
    fetch(address, { cache: "no-store", headers: { accept: "text/html" } })
      .then(({ ok }) => {
        if (ok && window.location.href === address && reloads.mayReload()) window.location.reload();
      })
      .catch(() => undefined);
  }, [isNotLoaded]);
}

const broken = "This page did not load";
