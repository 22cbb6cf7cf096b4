// Files of live connections that wait for a second user.

import { Alert, Text } from "@mantine/core";
import type { Approval } from "@server/console/approvals/schema.ts";
import { usePage } from "../api/page.ts";
import { PageLink } from "../parts/page-link.tsx";
import { inboundTexts } from "../texts/bank-inbound.ts";

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
        {inboundTexts.waitingFiles(count)}{" "}
        <PageLink to="/approvals?kind=bank_request" underline="always">
          {inboundTexts.openApprovals}
        </PageLink>
      </Text>
    </Alert>
  );
}
