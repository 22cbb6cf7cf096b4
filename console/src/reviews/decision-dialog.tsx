// Asks for what a judgement needs, and shows what it will do: the very event that is sent, or that none is.

import { Alert, Button, Group, Radio, Select, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { Decided } from "@server/console/reviews/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { send } from "../api/call.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { FormModal } from "../parts/form-modal.tsx";
import { Problem } from "../parts/problem.tsx";
import { caseName, casePath, type Foreseen, type ReviewCase, useRenewReviews } from "./review.ts";

export type DecisionKind = "approve" | "reject" | "need-more";
export type Deciding = { kind: DecisionKind; of: ReviewCase };

type Props = { onDecided: () => void; onClose: () => void };

const words = {
  approve: { title: "Approve", done: "approved", note: "Reason" },
  reject: { title: "Reject", done: "rejected", note: "Note" },
  "need-more": { title: "Ask for more", done: "asked for more", note: "What is missing" },
} as const;

/** In the order of the server's table, which says them to the subaccount. */
const reasons = [
  { value: "document_unreadable", label: "Document unreadable" },
  { value: "document_expired", label: "Document expired" },
  { value: "details_differ", label: "Details differ from the document" },
  { value: "address_unproven", label: "Address not proven" },
  { value: "duplicate", label: "Same person as another receiver" },
  { value: "sanctions", label: "On a sanctions list" },
  { value: "suspected_fraud", label: "Suspected fraud" },
  { value: "other", label: "Other" },
];

export function DecisionDialog({ deciding, ...rest }: { deciding: Deciding | undefined } & Props) {
  const name = deciding && nameOf(deciding.of);
  return (
    <FormModal
      opened={deciding !== undefined}
      onClose={rest.onClose}
      title={deciding ? `${words[deciding.kind].title}: ${name}` : ""}
      size="lg"
    >
      {deciding && <DecisionForm deciding={deciding} {...rest} />}
    </FormModal>
  );
}

function DecisionForm({
  deciding: { kind, of },
  onDecided,
  onClose,
}: { deciding: Deciding } & Props) {
  const { approve, reject, retry } = of.verdicts;
  const [code, setCode] = useState<string | null>(null);
  const [note, setNote] = useState(kind === "approve" ? "Identity checked" : "");
  const [end, setEnd] = useState<string | null>(null);
  const renew = useRenewReviews();
  const act = useMutation({
    mutationFn: () =>
      send<Decided>("POST", `${casePath(caseName(of))}/${kind}`, {
        version: of.version,
        ...(kind === "approve" && { reason: note.trim() }),
        ...(kind === "need-more" && { note: note.trim() }),
        ...(kind === "reject" && { reason_code: code, note: note.trim(), final: end === "final" }),
      }),
    onSuccess: ({ is_decided }) => {
      const said = is_decided ? words[kind].done : "approved by you; it takes a second person";
      // Above, since the buttons for the next case are below.
      const message = `${nameOf(of)}: ${said}`;
      notifications.show({ message, color: "teal", position: "top-right" });
      onDecided();
      void renew();
    },
  });
  const verdict =
    kind === "approve" ? approve : kind === "need-more" || end === "retry" ? retry : reject;
  const isChosen = kind !== "reject" || (code !== null && end !== null);
  const isReady = note.trim() !== "" && isChosen;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) act.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {kind === "reject" && (
          <>
            <Select
              label="Reason"
              data={reasons}
              value={code}
              onChange={setCode}
              required
              withAsterisk={false}
              data-autofocus
            />
            <Radio.Group
              label="And then"
              value={end}
              onChange={setEnd}
              required
              withAsterisk={false}
            >
              <Stack gap={6} mt={4}>
                <Radio
                  value="final"
                  label="Final: the check has failed"
                  disabled={!reject.is_allowed}
                />
                <Radio
                  value="retry"
                  label="May try again: the check stays open"
                  disabled={!retry.is_allowed}
                />
              </Stack>
            </Radio.Group>
          </>
        )}
        {/* One line, so that Enter decides. */}
        <TextInput
          label={words[kind].note}
          description="It goes into the history, where the subaccount can read it."
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          onFocus={(event) => event.currentTarget.select()}
          maxLength={400}
          required
          withAsterisk={false}
          {...(kind === "reject" ? {} : { "data-autofocus": true })}
        />
        {isChosen && <Consequence verdict={verdict} />}
        <Problem error={act.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            {...(kind === "reject" ? { color: "red" } : {})}
            disabled={!isReady}
            loading={act.isPending}
          >
            {words[kind].title}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Consequence({ verdict }: { verdict: Foreseen }) {
  const { needs_second, needs_proof, event } = verdict;
  return (
    <Stack gap="xs">
      {needs_second && (
        <Alert color="yellow" variant="light">
          <Text size="sm">
            A failed check, or somebody alike: it takes two people. Nothing changes and nothing is
            sent until somebody else approves as well.
          </Text>
        </Alert>
      )}
      {needs_proof && (
        <Text size="sm" c="dimmed">
          It sets aside what was found before, so you may be asked to confirm that it is you.
        </Text>
      )}
      {event ? (
        <CodeBlock
          text={event}
          label={`The event that is sent${needs_second ? " after the second approval" : ""}; only its time will differ`}
          wrap
        />
      ) : (
        <Text size="sm" c="dimmed">
          No event is sent: the state of the check stays the same.
        </Text>
      )}
    </Stack>
  );
}

function nameOf({ person }: ReviewCase): string {
  return `${person.first_name} ${person.last_name}`;
}
