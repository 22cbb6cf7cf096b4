// Asks for the reason of a decision about a hit or a payout on hold, and says what will happen.

import { Alert, Checkbox, Radio, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { HitDecided } from "@server/doors/console/reviews/hits/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/call.ts";
import { DialogForm, FormDialog, useDialogDraft } from "../parts/form-dialog.tsx";
import { Restored } from "../parts/restored.tsx";
import { reviewsTexts } from "../texts/reviews.ts";
import { listText } from "../texts/screening.ts";
import { type DecisionKind, isEmbargo } from "./actions.ts";
import { percent } from "./case-parts.tsx";
import {
  casePath,
  entriesOf,
  type HitCase,
  type HitEntry,
  type HoldCase,
  nameOfCase,
  receiverNameOf,
  useRenewReviews,
} from "./review.ts";

type Case = HitCase | HoldCase;
export type CaseDeciding = { kind: DecisionKind; of: Case };
type Props = { onDecided: () => void; onAsked: () => void; onClose: () => void };

const words: Partial<Record<DecisionKind, { title: string; done: string; isDanger?: boolean }>> = {
  different: { title: reviewsTexts.notTheSamePerson, done: "not the same person" },
  same: { title: reviewsTexts.samePerson, done: "same person", isDanger: true },
  release: { title: "Release", done: "released" },
  refuse: { title: "Refuse", done: "refused", isDanger: true },
  ask: { title: "Ask", done: "asked" },
};

const embargoWords: typeof words = {
  ...words,
  different: { title: reviewsTexts.mayBePaid, done: "may be paid" },
  same: {
    title: reviewsTexts.mustNotBePaid,
    done: "must not be paid",
    isDanger: true,
  },
};

function wordsOf({ kind, of }: CaseDeciding) {
  return (isEmbargo(of) ? embargoWords : words)[kind];
}

export function CaseDialog({ deciding, ...rest }: { deciding: CaseDeciding | undefined } & Props) {
  return (
    <FormDialog
      opened={deciding !== undefined}
      onClose={rest.onClose}
      title={deciding ? `${wordsOf(deciding)?.title}: ${receiverNameOf(deciding.of)}` : ""}
      size="lg"
    >
      {deciding && <CaseForm deciding={deciding} {...rest} />}
    </FormDialog>
  );
}

const blank = { reason: "", audience: "reviewers", releases: "yes" };

function CaseForm({ deciding, onDecided, onAsked, onClose }: { deciding: CaseDeciding } & Props) {
  const { kind, of } = deciding;
  const id = of.kind === "hit" ? of.id : of.payout_id;
  const draft = useDialogDraft(`review-${kind}-${of.subaccount.id}-${id}`, blank);
  const { reason, audience, releases } = draft.fields;
  const entries = of.kind === "hit" ? entriesOf(of).filter((one) => mayDecide(kind, one)) : [];
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);
  const chosen = entries.filter((one) => !leftOut.includes(one.id));
  // Another hit of the person still holds its payouts.
  const isWhole = of.kind === "hit" && chosen.length === 1 + of.others.length;
  const releasable =
    of.kind === "hit" && isWhole ? of.held.filter(({ why_not }) => why_not === null).length : 0;
  const renew = useRenewReviews();
  const { title = "", done = "", isDanger = false } = wordsOf(deciding) ?? {};
  const release = releases === "yes" && releasable > 0;
  const act = useMutation({
    mutationFn: () => {
      const [first, ...others] = kind === "ask" ? [] : chosen;
      const path = `${casePath(nameOfCase(of.kind, of.subaccount.id, first?.id ?? id))}/${kind}`;
      const text = reason.trim();
      if (kind === "ask") return send<Partial<HitDecided>>("POST", path, { note: text, audience });
      return send<Partial<HitDecided>>("POST", path, {
        version: first?.version ?? of.version,
        reason: text,
        ...(others.length > 0 && { others: others.map(({ id, version }) => ({ id, version })) }),
        ...(kind === "different" && { release }),
      });
    },
    onSuccess: ({ is_decided }) => {
      const outcome = is_decided === false ? reviewsTexts.needsASecondReviewer : done;
      // At the top, because the buttons for the next case are at the bottom.
      const message = `${receiverNameOf(of)}: ${outcome}`;
      notifications.show({ message, color: "teal", position: "top-right" });
      draft.forget();
      if (kind === "ask") onAsked();
      else onDecided();
      void renew();
    },
  });
  return (
    <DialogForm
      act={act}
      label={
        release && kind === "different"
          ? `${title}, release ${releasable} ${releasable === 1 ? "payout" : "payouts"}`
          : title
      }
      isReady={
        reason.trim() !== "" && (entries.length === 0 || kind === "ask" || chosen.length > 0)
      }
      danger={isDanger}
      quiet={kind === "different"}
      onSubmit={() => act.mutate()}
      onClose={onClose}
    >
      <Restored draft={draft} />
      {kind !== "ask" && entries.length > 1 && (
        <Checkbox.Group
          label="List entries that this is about"
          description="Those that you leave out stay open."
          value={chosen.map((one) => one.id)}
          onChange={(ids) =>
            setLeftOut(entries.map((one) => one.id).filter((one) => !ids.includes(one)))
          }
        >
          <Stack gap={6} mt={6}>
            {entries.map(({ id: entryId, hit }) => (
              <Checkbox
                key={entryId}
                value={entryId}
                label={`${listText(hit.list)} ${hit.entry_key}: ${hit.listed_name}, ${percent(hit.score)}`}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {/* One line, so that Enter decides. */}
      <TextInput
        label={kind === "ask" ? "Question" : reviewsTexts.reason}
        description={
          kind === "ask"
            ? undefined
            : "Read by reviewers, and in the audit log. Not by the subaccount."
        }
        value={reason}
        onChange={(event) => draft.change({ reason: event.currentTarget.value })}
        maxLength={500}
        required
        withAsterisk={false}
        data-autofocus
      />
      {kind === "ask" && (
        <Radio.Group
          label="Who reads it"
          value={audience}
          onChange={(chosen) => draft.change({ audience: chosen })}
        >
          <Stack gap={6} mt={4}>
            <Radio value="reviewers" label="Only users who read the review queue" />
            <Radio
              value="subaccount"
              label="Users of the subaccount too, on the receiver's page and without your name"
            />
          </Stack>
        </Radio.Group>
      )}
      {kind === "ask" && audience === "subaccount" && (
        <Alert color="yellow" variant="light">
          <Text size="sm">
            Ask for facts, such as a date of birth or a document. Never say that a list or screening
            is the reason.
          </Text>
        </Alert>
      )}
      {kind === "different" && releasable > 0 && (
        <Checkbox
          checked={releases === "yes"}
          onChange={(event) =>
            draft.change({ releases: event.currentTarget.checked ? "yes" : "no" })
          }
          label={
            releasable === 1
              ? "Release its payout on hold"
              : `Release its ${releasable} payouts on hold`
          }
        />
      )}
      <Text size="sm" c="dimmed">
        {consequenceOf(kind, of, { release, releasable, chosen })}
      </Text>
    </DialogForm>
  );
}

function mayDecide(kind: DecisionKind, { decisions }: HitEntry): boolean {
  return kind === "same" ? decisions.same : decisions.different;
}

function consequenceOf(
  kind: DecisionKind,
  of: Case,
  {
    release,
    releasable,
    chosen,
  }: { release: boolean; releasable: number; chosen: readonly HitEntry[] },
): string {
  if (kind === "ask") return "The case stays in the queue.";
  if (kind === "release" && of.kind === "hold") {
    return of.release_to === "queued"
      ? "The payout is queued and will be sent to the bank."
      : "The payout then waits for approval: a release never approves.";
  }
  if (kind === "refuse")
    return "The payout fails and its money is available again. The subaccount is told that it was refused after a review.";
  if (kind === "same" && of.kind === "hit") {
    return chosen.some(({ decisions }) => decisions.needs_second)
      ? "A second reviewer has to say the same. Until then nothing changes, and the receiver's payouts stay on hold."
      : "The receiver is deactivated, and its payouts on hold are refused. Their money is available again.";
  }
  const kept = of.kind === "hit" ? of.held.length - (release ? releasable : 0) : 0;
  return kept > 0
    ? `This is remembered until the receiver or the list entry changes. ${kept} ${kept === 1 ? "payout stays" : "payouts stay"} on hold.`
    : "This is remembered until the receiver or the list entry changes.";
}
