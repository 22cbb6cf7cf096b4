// Marks a file that was not sent by the bank's cut-off.

import { Badge, Tooltip } from "@mantine/core";
import { banksTexts } from "../texts/banks.ts";

export function LateMark() {
  return (
    <Tooltip label={banksTexts.lateHint} maw={320}>
      <Badge color="red" variant="light" size="sm">
        {banksTexts.late}
      </Badge>
    </Tooltip>
  );
}
