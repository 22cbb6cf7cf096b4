// Asks for another name of something.

import { TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { DialogForm, FormDialog } from "./form-dialog.tsx";

type Naming = { name: string; onName: (name: string) => Promise<unknown>; onClose: () => void };

export function NameDialog({ opened, ...naming }: Naming & { opened: boolean }) {
  return (
    <FormDialog opened={opened} onClose={naming.onClose} title={`Rename “${naming.name}”`}>
      <NameForm {...naming} />
    </FormDialog>
  );
}

function NameForm({ name, onName, onClose }: Naming) {
  const [typed, setTyped] = useState(name);
  const next = typed.trim();
  const rename = useMutation({
    mutationFn: () => onName(next),
    onSuccess: () => {
      notifications.show({ message: `“${name}” is now “${next}”`, color: "teal" });
      onClose();
    },
  });
  return (
    <DialogForm
      act={rename}
      label="Rename"
      isReady={next !== "" && next !== name}
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        value={typed}
        maxLength={100}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
    </DialogForm>
  );
}
