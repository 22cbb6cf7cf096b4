// What can be decided about a case: the three actions of its kind, their keys, and whether this user may do them now.

import { reviewsTexts } from "../texts/reviews.ts";
import { type AnyCase, type CaseKind, entriesOf } from "./review.ts";

export type DecisionKind =
  | ("approve" | "reject" | "need-more")
  | ("different" | "same" | "release" | "refuse" | "ask");

/** A approves everywhere, and is never the key that clears a hit. */
export type CaseAction = { key: "A" | "D" | "R" | "N"; kind: DecisionKind; label: string };

const identity: readonly CaseAction[] = [
  { key: "A", kind: "approve", label: "Approve…" },
  { key: "R", kind: "reject", label: "Reject…" },
  { key: "N", kind: "need-more", label: "Request info…" },
];

/** The last leaves the case open. */
const actions: Record<CaseKind, readonly CaseAction[]> = {
  identity,
  hit: [
    { key: "R", kind: "same", label: "Same person…" },
    { key: "D", kind: "different", label: "Not the same person…" },
    { key: "N", kind: "ask", label: reviewsTexts.askMenu },
  ],
  hold: [
    { key: "A", kind: "release", label: "Release…" },
    { key: "R", kind: "refuse", label: "Refuse…" },
    { key: "N", kind: "ask", label: reviewsTexts.askMenu },
  ],
};

/** A country is not a person. */
const embargo: readonly CaseAction[] = [
  { key: "R", kind: "same", label: "Must not be paid…" },
  { key: "D", kind: "different", label: "May be paid…" },
  { key: "N", kind: "ask", label: reviewsTexts.askMenu },
];

export function actionsOf(shown: AnyCase | undefined): readonly CaseAction[] {
  return shown && isEmbargo(shown) ? embargo : actions[shown?.kind ?? "identity"];
}

/** A hit on an embargoed country. */
export function isEmbargo(shown: AnyCase): boolean {
  return shown.kind === "hit" && shown.hit.list === "embargo";
}

/** What the server would allow. A case that another user has claimed allows nothing. */
export function allowedOf(shown: AnyCase | undefined): ReadonlySet<DecisionKind> {
  if (!shown || (shown.claim && !shown.claim.is_mine)) return new Set();
  const allowed = Object.entries(isAllowed(shown)).filter(([, is]) => is);
  return new Set(allowed.map(([kind]) => kind as DecisionKind));
}

function isAllowed(shown: AnyCase): Partial<Record<DecisionKind, boolean>> {
  const { waits } = shown;
  switch (shown.kind) {
    case "identity": {
      const { approve, reject, retry } = shown.verdicts;
      return {
        approve: approve.is_allowed,
        reject: reject.is_allowed || retry.is_allowed,
        "need-more": retry.is_allowed,
      };
    }
    case "hit":
      return {
        different: entriesOf(shown).some(({ decisions }) => decisions.different),
        same: entriesOf(shown).some(({ decisions }) => decisions.same),
        ask: waits,
      };
    case "hold":
      return { release: waits && shown.why_not_release === null, refuse: waits, ask: waits };
  }
}
