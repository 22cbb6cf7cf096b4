// A banner above every screen of a restored copy that is not released.

import { Alert } from "@mantine/core";
import { useMe } from "../api/me.ts";
import { Archive } from "../parts/icons.tsx";

export function QuarantineBanner() {
  if (!useMe().is_quarantined) return null;
  return (
    <Alert
      color="yellow"
      variant="light"
      role="status"
      mb="md"
      icon={<Archive size={18} aria-hidden />}
    >
      This copy was restored from a backup and is in quarantine: you can look at it, but nothing is
      saved, sent or paid.
    </Alert>
  );
}
