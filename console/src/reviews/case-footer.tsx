// The actions for a case, each with a keyboard shortcut. Shortcuts can be turned off, because screen readers and speech
// input need single letters for themselves.

import { Button, Group, Kbd, Switch } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { problemText } from "../parts/problem.tsx";
import { remembered } from "../state/remembered.ts";
import { reviewsTexts } from "../texts/reviews.ts";
import type { DecisionKind } from "./decision-dialog.tsx";
import { casePath, type ReviewCase, useRenewReviews } from "./review.ts";
import styles from "./reviews.module.css";

export type PaneProps = {
  name: string | undefined;
  hasRows: boolean;
  isDeciding: boolean;
  onMove: (step: 1 | -1) => void;
  onDecide: (kind: DecisionKind, of: ReviewCase) => void;
  onSkipped: () => void;
  onClose: () => void;
};

export function CaseFooter({
  name,
  shown,
  isDeciding,
  onMove,
  onDecide,
  onSkipped,
}: PaneProps & { shown: ReviewCase | undefined }) {
  const [areKeysOn, setKeysOn] = useState(() => remembered.get("review-keys") !== "off");
  const renew = useRenewReviews();
  const skip = useMutation({
    mutationFn: () => send("POST", `${casePath(name ?? "")}/skip`),
    onSuccess: () => {
      onSkipped();
      void renew();
    },
    onError: (error) => notifications.show({ message: problemText(error), color: "red" }),
  });
  const mayReview = useMay("receivers.review");
  const isTheirs = shown?.claim ? !shown.claim.is_mine : false;
  const { approve, reject, retry } = shown?.verdicts ?? {};
  const may = {
    approve: mayReview && !isTheirs && approve?.is_allowed === true,
    reject: mayReview && !isTheirs && (reject?.is_allowed === true || retry?.is_allowed === true),
    "need-more": mayReview && !isTheirs && retry?.is_allowed === true,
  };
  const decide = (kind: DecisionKind) => {
    if (shown && may[kind]) onDecide(kind, shown);
  };
  const leave = () => {
    if (mayReview && shown && !skip.isPending) skip.mutate();
  };
  const byKey = (act: () => void) => () => {
    if (areKeysOn && !isDeciding && !document.querySelector("[role=dialog]")) act();
  };
  // The hook ignores keys that are typed into a field.
  useHotkeys([
    ["A", byKey(() => decide("approve"))],
    ["R", byKey(() => decide("reject"))],
    ["N", byKey(() => decide("need-more"))],
    ["S", byKey(leave)],
    ["J", byKey(() => onMove(1))],
    ["K", byKey(() => onMove(-1))],
  ]);
  const keys = (key: string) => (areKeysOn ? { "aria-keyshortcuts": key } : {});
  const hint = (key: string): ReactNode =>
    areKeysOn && (
      <Kbd size="xs" aria-hidden className={styles.key as string}>
        {key}
      </Kbd>
    );
  return (
    <Group
      className={styles.footer as string}
      gap={8}
      role="group"
      aria-label={mayReview ? reviewsTexts.decide : reviewsTexts.cases}
    >
      {mayReview && (
        <>
          <Button
            disabled={!may.approve}
            rightSection={hint("A")}
            onClick={() => decide("approve")}
            {...keys("A")}
          >
            {reviewsTexts.approve}
          </Button>
          <Button
            variant="default"
            {...(may.reject ? { c: "var(--mantine-color-error)" } : {})}
            disabled={!may.reject}
            rightSection={hint("R")}
            onClick={() => decide("reject")}
            {...keys("R")}
          >
            {reviewsTexts.reject}
          </Button>
          <Button
            variant="default"
            disabled={!may["need-more"]}
            rightSection={hint("N")}
            onClick={() => decide("need-more")}
            {...keys("N")}
          >
            {reviewsTexts.requestInfo}
          </Button>
          <Button
            variant="default"
            disabled={!shown}
            loading={skip.isPending}
            rightSection={hint("S")}
            onClick={leave}
            {...keys("S")}
          >
            {reviewsTexts.skip}
          </Button>
        </>
      )}
      <span className={styles.gap} />
      <Button
        variant="default"
        aria-label={reviewsTexts.previousCase}
        rightSection={hint("K")}
        onClick={() => onMove(-1)}
        {...keys("K")}
      >
        <ChevronLeft size={16} aria-hidden />
      </Button>
      <Button
        variant="default"
        aria-label={reviewsTexts.nextCase}
        rightSection={hint("J")}
        onClick={() => onMove(1)}
        {...keys("J")}
      >
        <ChevronRight size={16} aria-hidden />
      </Button>
      <Switch
        className={styles.keysSwitch as string}
        size="xs"
        label={reviewsTexts.keyboardShortcuts}
        checked={areKeysOn}
        onChange={(event) => {
          const isOn = event.currentTarget.checked;
          remembered.set("review-keys", isOn ? "on" : "off");
          setKeysOn(isOn);
        }}
      />
    </Group>
  );
}
