// The actions for a case, each with a keyboard shortcut. Shortcuts can be turned off, because screen readers and speech
// input need single letters for themselves.

import { Button, Group, Kbd, Switch } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { ChevronLeft, ChevronRight } from "../parts/icons.tsx";
import { problemText } from "../parts/problem.tsx";
import { remembered } from "../state/remembered.ts";
import { reviewsTexts } from "../texts/reviews.ts";
import { actionsOf, allowedOf, type DecisionKind } from "./actions.ts";
import { type AnyCase, claimPath, useRenewReviews } from "./review.ts";
import styles from "./reviews.module.css";

export type PaneProps = {
  name: string | undefined;
  hasRows: boolean;
  isDeciding: boolean;
  onMove: (step: 1 | -1) => void;
  onDecide: (kind: DecisionKind, of: AnyCase) => void;
  onSkipped: () => void;
  onClose: () => void;
};

export function CaseFooter({
  shown,
  isDeciding,
  onMove,
  onDecide,
  onSkipped,
}: PaneProps & { shown: AnyCase | undefined }) {
  const [areKeysOn, setKeysOn] = useState(() => remembered.get("review-keys") !== "off");
  const renew = useRenewReviews();
  const skip = useMutation({
    mutationFn: (of: AnyCase) => send("POST", `${claimPath(of)}/skip`),
    onSuccess: () => {
      onSkipped();
      void renew();
    },
    onError: (error) => notifications.show({ message: problemText(error), color: "red" }),
  });
  const mayReview = useMay("receivers.review");
  const actions = actionsOf(shown);
  const mayRelease = useMay("payouts.release");
  const isAllowed = (kind: DecisionKind) =>
    mayReview && (mayRelease || (kind !== "release" && kind !== "refuse"));
  const allowed = new Set([...allowedOf(shown)].filter(isAllowed));
  const decide = (kind: DecisionKind | undefined) => {
    if (shown && kind && allowed.has(kind)) onDecide(kind, shown);
  };
  const leave = () => {
    if (mayReview && shown && !skip.isPending) skip.mutate(shown);
  };
  const byKey = (act: () => void) => () => {
    if (areKeysOn && !isDeciding && !document.querySelector("[role=dialog]")) act();
  };
  // The hook ignores keys that are typed into a field.
  useHotkeys([
    ...actions.map(({ key, kind }): [string, () => void] => [key, byKey(() => decide(kind))]),
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
      aria-label={mayReview ? "Decide" : reviewsTexts.cases}
    >
      {mayReview && (
        <>
          {actions.map(({ key, kind, label }) => (
            <Button
              key={kind}
              disabled={!allowed.has(kind)}
              {...(key === "A" ? {} : { variant: "default" })}
              {...(key === "R" && allowed.has(kind) ? { c: "var(--mantine-color-error)" } : {})}
              rightSection={hint(key)}
              onClick={() => decide(kind)}
              {...keys(key)}
            >
              {label}
            </Button>
          ))}
          <Button
            variant="default"
            disabled={!shown}
            loading={skip.isPending}
            rightSection={hint("S")}
            onClick={leave}
            {...keys("S")}
          >
            Skip
          </Button>
        </>
      )}
      <span className={styles.gap} />
      <Button
        variant="default"
        aria-label="Previous case"
        rightSection={hint("K")}
        onClick={() => onMove(-1)}
        {...keys("K")}
      >
        <ChevronLeft size={16} aria-hidden />
      </Button>
      <Button
        variant="default"
        aria-label="Next case"
        rightSection={hint("J")}
        onClick={() => onMove(1)}
        {...keys("J")}
      >
        <ChevronRight size={16} aria-hidden />
      </Button>
      <Switch
        className={styles.keysSwitch as string}
        size="xs"
        label="Keyboard shortcuts"
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
