// Marks a test event, beside its type.

import { Badge } from "@mantine/core";

export function TestBadge() {
  return (
    <Badge variant="light" color="gray" size="sm">
      Test event
    </Badge>
  );
}
