// Says that the erasure of the receiver waits for approval.

import { Group, Paper, Text } from "@mantine/core";
import { useMay } from "../api/me.ts";
import { ApprovalsLink } from "../parts/approvals-link.tsx";
import { When } from "../parts/when.tsx";
import { receiversTexts } from "../texts/receivers.ts";
import type { ReceiverDetail } from "./receiver.ts";

export function ErasureBanner({ request }: { request: ReceiverDetail["erasure_request"] }) {
  const seesQueue = useMay("approvals.read");
  if (!request) return null;
  return (
    <Paper p="sm" component="section" aria-label={receiversTexts.erasureWaits}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Text size="sm" fw={600}>
            {receiversTexts.erasureWaits}
          </Text>
          <Text size="sm" component="span">
            {`Requested by ${request.made_by}`} <When ms={request.made_at} />
          </Text>
        </Group>
        {seesQueue && (
          <Text size="sm" component="span">
            <ApprovalsLink kind="erasure" />
          </Text>
        )}
      </Group>
    </Paper>
  );
}
