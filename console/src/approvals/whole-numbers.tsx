// Reveals the full old and new account number to the user who decides. The audit log records it.

import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { RevealedChange } from "@server/doors/console/bank-changes/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { problemText } from "../parts/problem.tsx";

export function WholeNumbers({ path }: { path: string }) {
  const mayReveal = useMay("accounts.approve");
  const { data, mutate, reset, isPending } = useMutation({
    mutationFn: () => send<RevealedChange>("POST", `${path}/reveal`),
    // Keeps the numbers out of the cache.
    gcTime: 0,
    onError: (error) => notifications.show({ message: problemText(error), color: "red" }),
  });
  if (!mayReveal) return null;
  return (
    <Group gap="xs" mt={4}>
      {data && (
        <Text size="sm" aria-live="polite">
          {`Full number: ${data.before || "none"} to ${data.after}. Viewing was logged.`}
        </Text>
      )}
      <Button
        size="compact-xs"
        variant="default"
        loading={isPending}
        onClick={() => (data ? reset() : mutate())}
      >
        {data ? "Hide" : "Show full numbers"}
      </Button>
    </Group>
  );
}
