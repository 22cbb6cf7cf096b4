// The whole old and new account number of a change, for the person who decides. That they looked is in the audit.

import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { RevealedChange } from "@server/console/bank-changes/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { problemText } from "../parts/problem.tsx";

export function WholeNumbers({ path }: { path: string }) {
  const mayReveal = useMay("accounts.approve");
  const { data, mutate, reset, isPending } = useMutation({
    mutationFn: () => send<RevealedChange>("POST", `${path}/reveal`),
    // Nothing of it stays behind in the page's memory.
    gcTime: 0,
    onError: (error) => notifications.show({ message: problemText(error), color: "red" }),
  });
  if (!mayReveal) return null;
  return (
    <Group gap="xs" mt={4}>
      {data && (
        <Text size="sm" aria-live="polite">
          Whole number: {data.before || "none"} → {data.after}. The audit says that you looked.
        </Text>
      )}
      <Button
        size="compact-xs"
        variant="default"
        loading={isPending}
        onClick={() => (data ? reset() : mutate())}
      >
        {data ? "Hide" : "Show whole numbers"}
      </Button>
    </Group>
  );
}
