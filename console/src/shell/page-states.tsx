// What is shown in place of a screen: while it loads, when there is none, and when it broke.

import { Button, Center, Group, Loader, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";

export function PageLoading() {
  return (
    <Center mih={200}>
      <Loader size="sm" role="status" aria-label="Loading" />
    </Center>
  );
}

export function MissingPage() {
  return (
    <Screen title="There is no such page">
      <Text c="dimmed">The address may be mistyped, or the page is gone.</Text>
      <Group>
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/" />}>
          To the start
        </Button>
      </Group>
    </Screen>
  );
}

export function BrokenPage({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <Stack p="md">
      <Screen title="This page did not load">
        <Problem error={error} onRetry={reset} />
      </Screen>
    </Stack>
  );
}
