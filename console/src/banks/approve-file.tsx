// Approves the bytes of a bank file by their hash. The user types how many payouts it has, or their sum.

import { Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ApprovedBatch } from "@server/banking/files/schema.ts";
import type { BankBatchDetail } from "@server/doors/console/banks/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/call.ts";
import { DialogForm, FormDialog } from "../parts/form-dialog.tsx";
import { moneyText } from "../state/money.ts";
import { banksTexts } from "../texts/banks.ts";
import { payoutsText } from "./payouts-text.ts";

type FileToApprove = Pick<
  BankBatchDetail,
  "id" | "sha256" | "payouts" | "total" | "currency" | "connection_name"
>;

type Parts = { onClose: () => void; onDone: () => void };

/** Undefined: the dialog is closed. */
export function ApproveFile({ file, ...rest }: Parts & { file: FileToApprove | undefined }) {
  return (
    <FormDialog
      opened={file !== undefined}
      onClose={rest.onClose}
      title="Approve bank file"
      size="lg"
    >
      {file && <ApproveForm file={file} {...rest} />}
    </FormDialog>
  );
}

const digits = (text: string) => text.replace(/\D/g, "");

function ApproveForm({ file, onClose, onDone }: Parts & { file: FileToApprove }) {
  const [typed, setTyped] = useState("");
  // The hash that this user has seen, also if the page reloads meanwhile.
  const [sha256] = useState(file.sha256);
  const total = moneyText(file.total, file.currency);
  const isSame = [digits(String(file.payouts)), digits(total)].includes(digits(typed));
  const act = useMutation({
    mutationFn: () => send<ApprovedBatch>("POST", `/banks/batches/${file.id}/approve`, { sha256 }),
    onSuccess: ({ approvals_missing }) => {
      onDone();
      onClose();
      const message =
        approvals_missing === 0 ? "File approved" : "Approved. More users have to approve it.";
      notifications.show({ message, color: "teal" });
    },
  });
  return (
    <DialogForm
      act={act}
      label={banksTexts.approve}
      isReady={isSame}
      onSubmit={() => act.mutate()}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text size="sm">
          {`${payoutsText(file.payouts)}, ${total} from ${file.connection_name}. You approve exactly these bytes.`}
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>{`SHA-256 ${sha256}`}</Text>
      </Stack>
      <TextInput
        label="Type the number of payouts, or their total, to confirm"
        value={typed}
        error={typed.trim() !== "" && !isSame && "The file has another number and another total."}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
    </DialogForm>
  );
}
