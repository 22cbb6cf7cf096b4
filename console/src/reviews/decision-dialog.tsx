// Asks for the reason of a decision about an identity check, and shows the exact event that will be sent, if any.

import { Alert, Radio, Select, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { Decided } from "@server/console/reviews/schema.ts";
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
    title: reviewsTexts.approve,
    done: reviewsTexts.approvedDone,
    note: reviewsTexts.reason,
  },
  reject: { title: reviewsTexts.reject, done: reviewsTexts.rejectedDone, note: reviewsTexts.note },
  "need-more": {
    title: reviewsTexts.requestInfo,
    done: reviewsTexts.infoRequestedDone,
    note: reviewsTexts.missingInformation,
  },
};

/** In the order of the server's table. */
const reasons = optionsOf({
  document_unreadable: reviewsTexts.documentUnreadable,
  document_expired: reviewsTexts.documentExpired,
  details_differ: reviewsTexts.detailsDifferFromTheDocument,
  address_unproven: reviewsTexts.addressNotProven,
  duplicate: reviewsTexts.samePersonAsAnotherReceiver,
  suspected_fraud: reviewsTexts.suspectedFraud,
  other: reviewsTexts.other,
});

type Fields = { code: string | null; note: string; end: string | null };

function blankOf(kind: DecisionKind): Fields {
  return { code: null, note: kind === "approve" ? reviewsTexts.identityChecked : "", end: null };
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
      const outcome = is_decided ? done : reviewsTexts.approvedByYouNeedsASecond;
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
            label={reviewsTexts.outcome}
            value={end}
            onChange={(chosen) => draft.change({ end: chosen })}
            required
            withAsterisk={false}
          >
            <Stack gap={6} mt={4}>
              <Radio
                value="final"
                label={reviewsTexts.finalTheIdentityCheckFails}
                disabled={!reject.is_allowed}
              />
              <Radio
                value="retry"
                label={reviewsTexts.canResubmitTheIdentityCheckStays}
                disabled={!retry.is_allowed}
              />
            </Stack>
          </Radio.Group>
        </>
      )}
      {/* One line, so that Enter decides. */}
      <TextInput
        label={noteLabel}
        description={reviewsTexts.shownInTheHistoryVisibleTo}
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
          <Text size="sm">{reviewsTexts.needsASecondReviewerBecauseA}</Text>
        </Alert>
      )}
      {needs_proof && (
        <Text size="sm" c="dimmed">
          {reviewsTexts.thisOverridesTheEarlierResultSo}
        </Text>
      )}
      {event ? (
        <CodeBlock
          text={event}
          label={
            needs_second
              ? reviewsTexts.previewOfTheEventAfterSecond
              : reviewsTexts.previewOfTheEvent
          }
          wrap
        />
      ) : (
        <Text size="sm" c="dimmed">
          {reviewsTexts.noEventIsSentBecauseThe}
        </Text>
      )}
    </Stack>
  );
}

function nameOf({ receiver }: ReviewCase): string {
  return `${receiver.first_name} ${receiver.last_name}`;
}
