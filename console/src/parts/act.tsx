// A button that runs an action on the server: asks for confirmation where needed, shows progress, and reports the result.

import { Button, type ButtonProps, Group, Modal, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { partsTexts } from "../texts/parts.ts";
import { Problem, problemText } from "./problem.tsx";

type Confirm = {
  title: string;
  text?: ReactNode;
  label?: string;
  /** The label of the button that changes nothing, where "Cancel" could be read as the action itself. */
  keep?: string;
};

export function Act({
  label,
  confirm,
  onAct,
  done,
  danger = false,
  ...button
}: {
  label: string;
  /** Asks for confirmation and says what will happen. */
  confirm?: Confirm | undefined;
  onAct: () => Promise<unknown>;
  /** The notification afterwards, such as "Key revoked". */
  done?: string | undefined;
  danger?: boolean;
} & ButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const act = useMutation({
    mutationFn: onAct,
    onSuccess: () => {
      setAsking(false);
      if (done) notifications.show({ message: done, color: "teal" });
    },
    onError: (error) => {
      if (!confirm) notifications.show({ message: problemText(error), color: "red" });
    },
  });
  const colour = danger ? { color: "red" } : {};
  const close = () => {
    setAsking(false);
    act.reset();
  };
  return (
    <>
      <Button
        variant="default"
        {...(danger ? { c: "var(--mantine-color-error)" } : {})}
        {...button}
        loading={act.isPending && !confirm}
        onClick={() => (confirm ? setAsking(true) : act.mutate())}
      >
        {label}
      </Button>
      {confirm && (
        <Modal opened={isAsking} onClose={close} title={confirm.title}>
          <Stack gap="md">
            {confirm.text && (
              <Text size="sm" component="div">
                {confirm.text}
              </Text>
            )}
            <Problem error={act.error} />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={close}>
                {confirm.keep ?? partsTexts.cancel}
              </Button>
              <Button
                {...colour}
                loading={act.isPending}
                onClick={() => act.mutate()}
                data-autofocus
              >
                {confirm.label ?? label}
              </Button>
            </Group>
          </Stack>
        </Modal>
      )}
    </>
  );
}
