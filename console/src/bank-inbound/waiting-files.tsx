// Files of live connections that wait for a second user.

import { Alert, Text } from "@mantine/core";
import type { Approval } from "@server/doors/console/approvals/schema.ts";
import { usePage } from "../api/page.ts";
import { ApprovalsLink } from "../parts/approvals-link.tsx";

export function WaitingFiles() {
  const { rows } = usePage<Approval>(
    ["banks", "waiting"],
    "/approvals",
    { kind: "bank_request" },
    { everyMs: 10_000 },
  );
  const count = (rows ?? []).filter(({ bank }) => bank?.what === "file").length;
  if (count === 0) return null;
  return (
    <Alert color="yellow">
      <Text size="sm">
        {`${count} ${count === 1 ? "file waits" : "files wait"} for a second user, who confirms the sums.`}{" "}
        <ApprovalsLink kind="bank_request" />
      </Text>
    </Alert>
  );
}
