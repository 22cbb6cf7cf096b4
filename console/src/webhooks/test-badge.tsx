// Marks a test event, beside its type.

import { Badge } from "@mantine/core";
import { webhooksTexts } from "../texts/webhooks.ts";

export function TestBadge() {
  return (
    <Badge variant="light" color="gray" size="sm">
      {webhooksTexts.testEvent}
    </Badge>
  );
}
