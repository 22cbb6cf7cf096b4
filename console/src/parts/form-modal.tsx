// A dialog with a form. Escape, the cross and a click beside it ask first where something was typed; the form's own
// buttons don't.

import { Button, Group, Modal, type ModalProps, Text } from "@mantine/core";
import { type MouseEvent, useEffect, useState } from "react";

export function FormModal({ opened, onClose, children, ...rest }: ModalProps) {
  const [isEdited, setEdited] = useState(false);
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (opened) return;
    setEdited(false);
    setAsking(false);
  }, [opened]);
  // An option of a select is outside of the form, and no input tells of it.
  const noteChoice = ({ target }: MouseEvent) => {
    if ((target as Element).closest("[role=option]")) setEdited(true);
  };
  return (
    <>
      <Modal
        {...rest}
        opened={opened}
        onClose={() => (isEdited ? setAsking(true) : onClose())}
        closeOnEscape={!isAsking}
      >
        <div onInput={() => setEdited(true)} onClickCapture={noteChoice}>
          {children}
        </div>
      </Modal>
      {/* Not there before it is asked: the key that asks would also be taken by it, and close it again. */}
      {opened && isAsking && (
        <Modal
          opened
          onClose={() => setAsking(false)}
          title="Discard changes?"
          size="sm"
          zIndex={300}
        >
          <Text size="sm">What you entered will be lost.</Text>
          <Group justify="flex-end" gap="xs" mt="md">
            <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
              Keep editing
            </Button>
            <Button color="red" onClick={onClose}>
              Discard
            </Button>
          </Group>
        </Modal>
      )}
    </>
  );
}
