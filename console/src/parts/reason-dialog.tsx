// Asks for the reason of an action: a code where there is a choice, and a note.

import { Select, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { DialogForm, FormDialog, useDialogDraft } from "./form-dialog.tsx";
import { Restored } from "./restored.tsx";

export type Reason = { code: string | undefined; note: string };

type FormProps = {
  /** Names the action and its object. What is typed is kept under it. */
  draft: string;
  text?: ReactNode;
  /** Reasons to choose from. Absent: only a note. */
  codes?: readonly { value: string; label: string }[] | undefined;
  codeLabel?: string | undefined;
  noteLabel?: string | undefined;
  isNoteRequired?: boolean | undefined;
  /** The label of the submit button. */
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
    <FormDialog opened={opened} onClose={form.onClose} title={title}>
      <ReasonForm {...form} />
    </FormDialog>
  );
}

const blank: { code: string | null; note: string } = { code: null, note: "" };

/** A separate component, so that its state is reset whenever the dialog opens. */
function ReasonForm({
  draft: name,
  text,
  codes,
  codeLabel = "Reason",
  noteLabel = "Note",
  isNoteRequired = true,
  label,
  danger,
  children,
  onReason,
  onClose,
}: FormProps) {
  const draft = useDialogDraft(`reason-${name}`, blank);
  const { code, note } = draft.fields;
  const act = useMutation({
    mutationFn: onReason,
    onSuccess: () => {
      draft.forget();
      onClose();
    },
  });
  const isReady = (!codes || code !== null) && (!isNoteRequired || note.trim() !== "");
  return (
    <DialogForm
      act={act}
      label={label}
      isReady={isReady}
      danger={danger}
      onSubmit={() => act.mutate({ code: code ?? undefined, note: note.trim() })}
      onClose={onClose}
    >
      <Restored draft={draft} />
      {text && <Text size="sm">{text}</Text>}
      {codes && (
        <Select
          label={codeLabel}
          data={[...codes]}
          value={code}
          onChange={(chosen) => draft.change({ code: chosen })}
          required
        />
      )}
      <Textarea
        label={noteLabel}
        value={note}
        onChange={(event) => draft.change({ note: event.currentTarget.value })}
        required={isNoteRequired}
        data-autofocus
      />
      {children}
    </DialogForm>
  );
}
