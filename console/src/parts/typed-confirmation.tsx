// Asks before something that can't be undone: the person types what it is about.

import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { Problem } from "./problem.tsx";

type FormProps = {
  /** What has to be typed. */
  word: string;
  /** Of the button that does it. */
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSame) act.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {children}
        <TextInput
          label={`Type “${word}” to go on`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        <Problem error={act.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="red" disabled={!isSame} loading={act.isPending}>
            {label}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
