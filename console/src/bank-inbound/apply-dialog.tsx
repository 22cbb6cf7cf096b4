// Applies a file from a bank.

import { FileInput, Select, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { AppliedFile } from "@server/doors/console/bank-inbound/schema.ts";
import type { BankList } from "@server/doors/console/banks/schema.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { get, send } from "../api/call.ts";
import { DialogForm, FormDialog } from "../parts/form-dialog.tsx";
import { base64Of } from "../state/base64.ts";
import { inboundTexts } from "../texts/bank-inbound.ts";
import { partsTexts } from "../texts/parts.ts";

const bytesMax = 3 * 1024 * 1024;

type Applying = {
  /** Of the page on which it is opened. */
  connectionId?: string | null | undefined;
  onApplied?: (fileId: string) => Promise<void>;
  onClose: () => void;
};

export function ApplyDialog({
  opened,
  title = "Apply a file from a bank",
  ...applying
}: Applying & { opened: boolean; title?: string }) {
  return (
    <FormDialog opened={opened} onClose={applying.onClose} title={title}>
      <ApplyForm {...applying} />
    </FormDialog>
  );
}

function ApplyForm({ connectionId: ofPage = null, onApplied, onClose }: Applying) {
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [connectionId, setConnectionId] = useState<string | null>(ofPage);
  const { data: banks } = useQuery({
    queryKey: ["banks"],
    queryFn: ({ signal }) => get<BankList>("/banks", {}, signal),
  });
  const act = useMutation({
    mutationFn: async (chosen: File) =>
      send<AppliedFile>("POST", "/banks/inbound", {
        name: chosen.name.slice(0, 200),
        content: base64Of(new Uint8Array(await chosen.arrayBuffer())),
        ...(connectionId && { connection_id: connectionId }),
      }),
    onSuccess: async ({ file: applied, is_new }) => {
      onClose();
      await client.invalidateQueries({ queryKey: ["banks"] });
      if (!applied) {
        notifications.show({
          message:
            "Nothing has changed yet: a second user has to confirm the file's sums in Approvals.",
          color: "yellow",
        });
        return;
      }
      const message = is_new
        ? `File applied: ${applied.lines} ${applied.lines === 1 ? "report" : "reports"}, ${applied.suspended} in suspense`
        : "This file was applied before. Nothing has changed.";
      notifications.show({ message, color: is_new ? "teal" : "gray" });
      await onApplied?.(applied.id);
    },
  });
  const isTooLarge = file !== null && file.size > bytesMax;
  return (
    <DialogForm
      act={act}
      label={inboundTexts.apply}
      isReady={file !== null && !isTooLarge}
      onSubmit={() => file && act.mutate(file)}
      onClose={onClose}
    >
      <Text size="sm">
        Statements: camt.053, camt.054, BAI2, and CSV once its columns are mapped. MT940 is not
        read: ask the bank for one of these. Returns, rejections and acknowledgements: ABA, NACHA,
        pain.002.
      </Text>
      <Text size="sm" c="dimmed">
        A file is applied whole or not at all, and the same file twice changes nothing. A file of a
        live connection is applied when a second user has confirmed its sums. Upload a PGP file as
        the bank sent it, and choose its connection.
      </Text>
      <FileInput
        label={inboundTexts.fileFromBank}
        placeholder="Choose a file"
        value={file}
        error={
          isTooLarge && "The file is larger than 3 MB. Apply it with disburse bank-files inbound."
        }
        onChange={setFile}
        clearable
        clearButtonProps={{ "aria-label": partsTexts.clearFile }}
      />
      <Select
        label="Bank connection"
        placeholder="As the file says"
        data={banks?.rows.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        value={connectionId}
        onChange={setConnectionId}
        clearable
      />
    </DialogForm>
  );
}
