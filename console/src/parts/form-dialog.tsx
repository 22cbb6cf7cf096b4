// A dialog with a form. Escape, the cross and a click outside ask before typed values are lost; the form's own buttons
// don't. What is typed survives a reload, a new sign-in and another page, until the dialog is closed.

import { Button, Group, Modal, type ModalProps, Stack, Text } from "@mantine/core";
import {
  createContext,
  type FormEvent,
  type MouseEvent,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import type { DraftFields } from "../state/draft-text.ts";
import { useDraft } from "../state/drafts.ts";
import { partsTexts } from "../texts/parts.ts";
import { Missing } from "./missing.tsx";
import { Problem } from "./problem.tsx";

type KeptDraft = { isRestored: boolean; forget: () => void };

/** How the form tells its dialog about its draft. */
const DraftPlace = createContext<{ current: KeptDraft | undefined }>({ current: undefined });

/** The fields of a form in a dialog. The draft is forgotten when the dialog closes. */
export function useDialogDraft<Fields extends DraftFields>(
  form: string,
  blank: Fields,
  unkept: readonly (keyof Fields)[] = [],
) {
  const draft = useDraft(form, blank, unkept);
  const place = useContext(DraftPlace);
  useEffect(() => {
    place.current = draft;
  });
  return draft;
}

export function FormDialog({ opened, onClose, children, ...rest }: ModalProps) {
  const [isEdited, setEdited] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const draft = useRef<KeptDraft>(undefined);
  // While a dialog fades out, its form is still there. The next form must not start with its fields.
  const [opening, setOpening] = useState({ opened, number: 0 });
  if (opening.opened !== opened) setOpening({ opened, number: opening.number + (opened ? 1 : 0) });
  useEffect(() => {
    if (opened) return;
    draft.current?.forget();
    draft.current = undefined;
    setEdited(false);
    setAsking(false);
  }, [opened]);
  // The options of a select are outside of the form and fire no input event.
  const noteChoice = ({ target }: MouseEvent) => {
    if ((target as Element).closest("[role=option]")) setEdited(true);
  };
  return (
    <>
      <Modal
        {...rest}
        opened={opened}
        onClose={() => (isEdited || draft.current?.isRestored ? setAsking(true) : onClose())}
        closeOnEscape={!isAsking}
      >
        <div key={opening.number} onInput={() => setEdited(true)} onClickCapture={noteChoice}>
          <DraftPlace value={draft}>{children}</DraftPlace>
        </div>
      </Modal>
      {/* Mounted only now: otherwise the key press that opens it would also close it. */}
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
              {partsTexts.keepEditing}
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

/** The form inside a dialog: its fields, what went wrong, and the buttons. Its state is reset when the dialog closes. */
export function DialogForm({
  act,
  label,
  danger = false,
  quiet = false,
  isReady = true,
  fields = [],
  onSubmit,
  onClose,
  children,
}: {
  /** The mutation that submitting runs. */
  act: { error: unknown; isPending: boolean };
  /** The label of the submit button. */
  label: string;
  danger?: boolean | undefined;
  /** The submit button is not highlighted: for what should not be done by habit. */
  quiet?: boolean;
  isReady?: boolean;
  /** These fields show their problems themselves. */
  fields?: readonly string[];
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Absent: there is no Cancel button. */
  onClose?: () => void;
  children: ReactNode;
}) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A dialog may be opened from within another form, which must not be submitted with it.
    event.stopPropagation();
    if (isReady) onSubmit(event);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {children}
        <Problem error={act.error} fields={fields} />
        <Group justify="flex-end" gap="xs">
          <Missing text={!isReady && "Fill in the fields first."} />
          {onClose && (
            <Button variant="default" onClick={onClose}>
              {partsTexts.cancel}
            </Button>
          )}
          <Button
            type="submit"
            {...(danger ? { color: "red" } : {})}
            {...(quiet ? { variant: "default" } : {})}
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
