// A masked account number, which permitted users can reveal for a minute. The audit log records it.

import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { Revealed } from "@server/doors/review-list/receivers/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useMay } from "../api/me.ts";
import { problemText } from "../parts/problem.tsx";
import styles from "./receivers.module.css";

const shownMs = 60_000;

export function RevealedNumber({ accountId, masked }: { accountId: string; masked: string }) {
  const apiOf = useApiOf();
  const mayReveal = useMay("accounts.reveal");
  const { data, mutate, reset, isPending } = useMutation({
    mutationFn: () => send<Revealed>("POST", apiOf(`/accounts/${accountId}/reveal`)),
    // Keeps the number out of the cache.
    gcTime: 0,
    onError: (error) => notifications.show({ message: problemText(error), color: "red" }),
  });
  const isShown = data !== undefined;
  useEffect(() => {
    if (!isShown) return;
    const hiding = setTimeout(reset, shownMs);
    return () => clearTimeout(hiding);
  }, [isShown, reset]);
  return (
    <Group gap="xs">
      <span className={styles.number} aria-live="polite">
        {data?.account_number ?? masked}
      </span>
      {mayReveal && (
        <Button
          size="compact-xs"
          variant="default"
          loading={isPending}
          onClick={() => (isShown ? reset() : mutate())}
        >
          {isShown ? "Hide" : "Reveal"}
        </Button>
      )}
      {isShown && (
        <Text size="xs" c="dimmed">
          Viewing was logged.
        </Text>
      )}
    </Group>
  );
}
