// Adds a bank account to the receiver of a payout, without leaving the form. It is approved first.

import { Button, Group, Stack, Text } from "@mantine/core";
import type { Payee } from "@server/doors/console/payouts/schema.ts";
import { useState } from "react";
import { useApprover } from "../api/approver.ts";
import { useMay } from "../api/me.ts";
import { Plus } from "../parts/icons.tsx";
import { AccountDialog } from "../receivers/account-dialog.tsx";
import { BankChanges } from "../receivers/bank-changes.tsx";

export function AddAccount({ payee: { id, country } }: { payee: Payee }) {
  const mayPropose = useMay("accounts.propose");
  const approver = useApprover("accounts.approve");
  const [isOpen, setOpen] = useState(false);
  return (
    <Stack gap="xs">
      {mayPropose && (
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => setOpen(true)}
          >
            Add bank account
          </Button>
        </Group>
      )}
      <BankChanges receiverId={id}>
        <Text size="sm">
          {`You can choose the new bank account here once ${approver.within} has approved it. This form is kept.`}
        </Text>
      </BankChanges>
      <AccountDialog
        editing={isOpen ? "new" : undefined}
        receiver={{ id, country }}
        onClose={() => setOpen(false)}
      />
    </Stack>
  );
}
