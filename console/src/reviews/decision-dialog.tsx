// Asks for the reason of a decision about an identity check, and shows the exact event that will be sent, if any.

import { Alert, Radio, Select, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { Decided } from "@server/doors/review-list/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { DialogForm, FormDialog, useDialogDraft } from "../parts/form-dialog.tsx";
import { Restored } from "../parts/restored.tsx";
import { optionsOf } from "../state/options.ts";
import { reviewsTexts } from "../texts/reviews.ts";
import type { DecisionKind } from "./actions.ts";
import { claimPath, type Foreseen, type ReviewCase, useRenewReviews } from "./review.ts";

type Deciding = { kind: DecisionKind; of: ReviewCase };

type Props = { onDecided: () => void; onClose: () => void };

const words: Partial<Record<DecisionKind, { title: string; done: string; note: string }>> = {
  approve: {
    title: "Approve",
    done: "approved",
    note: reviewsTexts.reason,
  },
  reject: { title: "Reject", done: "rejected", note: reviewsTexts.note },
  "need-more": {
    title: "Request info",
    done: "info requested",
    note: "Missing information",
  },
};

/** In the order of the server's table. */
const reasons = optionsOf({
  document_unreadable: "Document unreadable",
  document_expired: "Document expired",
  details_differ: "Details differ from the document",
  address_unproven: "Address not proven",
  duplicate: "Same person as another receiver",
  suspected_fraud: "Suspected fraud",
  other: "Other",
});

type Fields = { code: string | null; note: string; end: string | null };

function blankOf(kind: DecisionKind): Fields {
  return { code: null, note: kind === "approve" ? "Identity checked" : "", end: null };
}

export function DecisionDialog({ deciding, ...rest }: { deciding: Deciding | undefined } & Props) {
  const name = deciding && nameOf(deciding.of);
  return (
    <FormDialog
      opened={deciding !== undefined}
      onClose={rest.onClose}
      title={deciding ? `${words[deciding.kind]?.title}: ${name}` : ""}
      size="lg"
    >
      {deciding && <DecisionForm deciding={deciding} {...rest} />}
    </FormDialog>
  );
}

function DecisionForm({
  deciding: { kind, of },
  onDecided,
  onClose,
}: { deciding: Deciding } & Props) {
  const { approve, reject, retry } = of.verdicts;
  const { title = "", done = "", note: noteLabel = "" } = words[kind] ?? {};
  const draft = useDialogDraft(
    `review-${kind}-${of.subaccount.id}-${of.receiver_id}`,
    blankOf(kind),
  );
  const { code, note, end } = draft.fields;
  const renew = useRenewReviews();
  const act = useMutation({
    mutationFn: () =>
      send<Decided>("POST", `${claimPath(of)}/${kind}`, {
        version: of.version,
        ...(kind === "approve" && { reason: note.trim() }),
        ...(kind === "need-more" && { note: note.trim() }),
        ...(kind === "reject" && { reason_code: code, note: note.trim(), final: end === "final" }),
      }),
    onSuccess: ({ is_decided }) => {
      const outcome = is_decided ? done : "approved by you, needs a second reviewer";
      // At the top, because the buttons for the next case are at the bottom.
      const message = `${nameOf(of)}: ${outcome}`;
      notifications.show({ message, color: "teal", position: "top-right" });
      draft.forget();
      onDecided();
      void renew();
    },
  });
  const verdict =
    kind === "approve" ? approve : kind === "need-more" || end === "retry" ? retry : reject;
  const isChosen = kind !== "reject" || (code !== null && end !== null);
  const isReady = note.trim() !== "" && isChosen;
  return (
    <DialogForm
      act={act}
      label={title}
      isReady={isReady}
      danger={kind === "reject"}
      onSubmit={() => act.mutate()}
      onClose={onClose}
    >
      <Restored draft={draft} />
      {kind === "reject" && (
        <>
          <Select
            label={reviewsTexts.reason}
            data={reasons}
            value={code}
            onChange={(chosen) => draft.change({ code: chosen })}
            required
            withAsterisk={false}
            data-autofocus
          />
          <Radio.Group
            label="Outcome"
            value={end}
            onChange={(chosen) => draft.change({ end: chosen })}
            required
            withAsterisk={false}
          >
            <Stack gap={6} mt={4}>
              <Radio
                value="final"
                label="Final: the identity check fails"
                disabled={!reject.is_allowed}
              />
              <Radio
                value="retry"
                label="Can resubmit: the identity check stays open"
                disabled={!retry.is_allowed}
              />
            </Stack>
          </Radio.Group>
        </>
      )}
      {/* One line, so that Enter decides. */}
      <TextInput
        label={noteLabel}
        description="Shown in the history, visible to the subaccount."
        value={note}
        onChange={(event) => draft.change({ note: event.currentTarget.value })}
        onFocus={(event) => event.currentTarget.select()}
        maxLength={400}
        required
        withAsterisk={false}
        {...(kind === "reject" ? {} : { "data-autofocus": true })}
      />
      {isChosen && <Consequence verdict={verdict} />}
    </DialogForm>
  );
}

function Consequence({ verdict }: { verdict: Foreseen }) {
  const { needs_second, needs_proof, event } = verdict;
  return (
    <Stack gap="xs">
      {needs_second && (
        <Alert color="yellow" variant="light">
          <Text size="sm">
            Needs a second reviewer because a check failed or there is a possible duplicate. Nothing
            changes and no event is sent until someone else approves too.
          </Text>
        </Alert>
      )}
      {needs_proof && (
        <Text size="sm" c="dimmed">
          This overrides the earlier result, so you may be asked to confirm your identity.
        </Text>
      )}
      {event ? (
        <CodeBlock
          text={event}
          label={
            needs_second
              ? "Preview of the event, sent after the second approval (timestamp will change)"
              : "Preview of the event (timestamp will change)"
          }
          wrap
        />
      ) : (
        <Text size="sm" c="dimmed">
          No event is sent, because the status of the identity check stays the same.
        </Text>
      )}
    </Stack>
  );
}

function nameOf({ receiver }: ReviewCase): string {
  return `${receiver.first_name} ${receiver.last_name}`;
}
