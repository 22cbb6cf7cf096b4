// Rotates a secret. The old one stays valid for as long as the user chooses.

import { Modal, Radio, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { DialogForm } from "./form-dialog.tsx";
import type { Secret } from "./one-time-secret.tsx";

const hourMs = 3_600_000;

const gracePeriods = [
  { ms: 0, label: "Stop it now" },
  { ms: hourMs, label: "1 hour" },
  { ms: 24 * hourMs, label: "24 hours" },
  { ms: 7 * 24 * hourMs, label: "7 days" },
];

type FormProps = {
  /** Explains the time in which both secrets are valid. */
  description: string;
  /** Resolves to the new secret, which is shown once. */
  onRotate: (graceMs: number) => Promise<Secret>;
  onSecret: (secret: Secret) => void;
  onClose: () => void;
};

export function RotateSecretDialog({
  opened,
  title,
  ...form
}: { opened: boolean; title: string } & FormProps) {
  return (
    <Modal opened={opened} onClose={form.onClose} title={title}>
      <RotateForm {...form} />
    </Modal>
  );
}

function RotateForm({ description, onRotate, onSecret, onClose }: FormProps) {
  const [graceMs, setGraceMs] = useState(String(24 * hourMs));
  const rotate = useMutation({
    mutationFn: () => onRotate(Number(graceMs)),
    onSuccess: (secret) => {
      onClose();
      onSecret(secret);
    },
  });
  return (
    <DialogForm
      act={rotate}
      label="Rotate secret"
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <Radio.Group
        label="Keep the old secret valid for"
        description={description}
        value={graceMs}
        onChange={setGraceMs}
      >
        <Stack gap={6} mt="xs">
          {gracePeriods.map(({ ms, label }) => (
            <Radio key={ms} value={String(ms)} label={label} />
          ))}
        </Stack>
      </Radio.Group>
    </DialogForm>
  );
}
