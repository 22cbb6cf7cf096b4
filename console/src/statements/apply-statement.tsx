// A button that applies a statement where the user is. Only for users who may apply one.

import { Button } from "@mantine/core";
import { useState } from "react";
import { useMay } from "../api/me.ts";
import { ApplyDialog } from "../bank-inbound/apply-dialog.tsx";
import { FileUp } from "../parts/icons.tsx";

export function ApplyStatement({ connectionId }: { connectionId?: string }) {
  const [isOpen, setOpen] = useState(false);
  if (!useMay("banks.release")) return null;
  return (
    <>
      <Button leftSection={<FileUp size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Apply a statement
      </Button>
      <ApplyDialog
        opened={isOpen}
        title="Apply a statement"
        connectionId={connectionId}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
