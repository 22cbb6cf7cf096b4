// A banner above every screen while the server can't be reached.

import { Alert, Button, Group } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { checkReachable } from "../api/call.ts";
import { useIsReachable } from "../api/reachable.ts";
import { CloudOff } from "../parts/icons.tsx";
import { shellTexts } from "../texts/shell.ts";

const everyMs = 3_000;

export function OfflineBanner() {
  const isReachable = useIsReachable();
  const client = useQueryClient();
  // Also pages without a timer must notice that the server is back.
  useEffect(() => {
    if (isReachable) return;
    const asking = setInterval(checkReachable, everyMs);
    return () => {
      clearInterval(asking);
      void client.invalidateQueries();
    };
  }, [isReachable, client]);
  if (isReachable) return null;
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      mb="md"
      icon={<CloudOff size={18} aria-hidden />}
    >
      <Group justify="space-between" gap="xs">
        Can't reach the server. Data may be out of date.
        <Button size="compact-sm" variant="default" onClick={() => void client.invalidateQueries()}>
          {shellTexts.tryAgain}
        </Button>
      </Group>
    </Alert>
  );
}
