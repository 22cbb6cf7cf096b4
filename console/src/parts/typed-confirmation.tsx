// Confirms an action that can't be undone: the user types the name of the object.

import { Modal, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { DialogForm } from "./form-dialog.tsx";

type FormProps = {
  /** The text to type. */
  word: string;
  /** The label of the submit button. */
  label: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
};

export function TypedConfirmation({
  opened,
  title,
  ...form
}: { opened: boolean; title: string } & FormProps) {
  return (
    <Modal opened={opened} onClose={form.onClose} title={title}>
      <ConfirmationForm {...form} />
    </Modal>
  );
}

function ConfirmationForm({ word, label, onConfirm, onClose, children }: FormProps) {
  const [typed, setTyped] = useState("");
  const act = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const isSame = typed.trim() === word.trim();
  return (
    <DialogForm
      act={act}
      label={label}
      isReady={isSame}
      danger
      onSubmit={() => act.mutate()}
      onClose={onClose}
    >
      {children}
      <TextInput
        label={`Type “${word}” to confirm`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
    </DialogForm>
  );
}
