// Asks for the reason of an act: a code where there are some to choose from, and a note.

import { Button, Group, Select, Stack, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { FormModal } from "./form-modal.tsx";
import { Problem } from "./problem.tsx";

export type Reason = { code: string | undefined; note: string };

type FormProps = {
  text?: ReactNode;
  /** Reasons to choose from. Absent: the note alone says it. */
  codes?: readonly { value: string; label: string }[] | undefined;
  noteLabel?: string | undefined;
  isNoteRequired?: boolean | undefined;
  /** Of the button that does it. */
  label: string;
  danger?: boolean | undefined;
  /** More fields, above the buttons. */
  children?: ReactNode;
  onReason: (reason: Reason) => Promise<unknown>;
  onClose: () => void;
};

export function ReasonDialog({
  opened,
  title,
  ...form
}: { opened: boolean; title: string } & FormProps) {
  return (
    <FormModal opened={opened} onClose={form.onClose} title={title}>
      <ReasonForm {...form} />
    </FormModal>
  );
}

/** Apart from the dialog, so that it begins anew whenever that is opened. */
function ReasonForm({
  text,
  codes,
  noteLabel = "Note",
  isNoteRequired = true,
  label,
  danger,
  children,
  onReason,
  onClose,
}: FormProps) {
  const [code, setCode] = useState<string | null>(null);
  const [note, setNote] = useState("");
  const act = useMutation({ mutationFn: onReason, onSuccess: onClose });
  const isReady = (!codes || code !== null) && (!isNoteRequired || note.trim() !== "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) act.mutate({ code: code ?? undefined, note: note.trim() });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {text && <Text size="sm">{text}</Text>}
        {codes && (
          <Select label="Reason" data={[...codes]} value={code} onChange={setCode} required />
        )}
        <Textarea
          label={noteLabel}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          required={isNoteRequired}
          data-autofocus
        />
        {children}
        <Problem error={act.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            {...(danger ? { color: "red" } : {})}
            disabled={!isReady}
            loading={act.isPending}
          >
            {label}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
