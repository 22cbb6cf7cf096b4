// Parts that hits and held payouts share: the decision, and what reviewers asked.

import { Alert, Badge, Text } from "@mantine/core";
import { CircleCheck } from "lucide-react";
import { Panel } from "../parts/panel.tsx";
import { When } from "../parts/when.tsx";
import { whoText } from "../state/who.ts";
import { reviewsTexts } from "../texts/reviews.ts";
import type { ReviewNote } from "./review.ts";
import styles from "./reviews.module.css";

type Decision = { who: string; at: number; reason: string; outcome: string };

export function Decided({ decided }: { decided: Decision | null }) {
  if (!decided) return null;
  return (
    <Alert color="gray" variant="light" icon={<CircleCheck size={18} aria-hidden />}>
      <Text size="sm">
        {reviewsTexts.decidedBy(decided.outcome, whoText(decided.who))} <When ms={decided.at} />
        {decided.reason && `: ${decided.reason}`}
      </Text>
    </Alert>
  );
}

export function CaseNotes({ notes }: { notes: readonly ReviewNote[] }) {
  if (notes.length === 0) return null;
  return (
    <Panel title={reviewsTexts.asked} flush>
      <ul className={styles.lines}>
        {notes.map(({ id, who, at, audience, note }) => (
          <li key={id} className={styles.note}>
            <Text size="sm">{note}</Text>
            <Text size="xs" c="dimmed">
              <When ms={at} withSeconds /> by {whoText(who)}
            </Text>
            <Badge variant="light" color="gray" tt="none" size="sm">
              {audience === "subaccount"
                ? reviewsTexts.readByTheSubaccount
                : reviewsTexts.readByReviewersOnly}
            </Badge>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
