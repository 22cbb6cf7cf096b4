// Marks a file that was not sent by the bank's cut-off.

import { Badge, Tooltip } from "@mantine/core";

export function LateMark() {
  return (
    <Tooltip
      label="The bank no longer takes this file for its date. Discard it: its payouts go with the next file."
      maw={320}
    >
      <Badge color="red" variant="light" size="sm">
        Late
      </Badge>
    </Tooltip>
  );
}
