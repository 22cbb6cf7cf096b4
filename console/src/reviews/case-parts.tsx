// Parts that hits and payouts on hold share: the decision, a hit in a list, and what reviewers asked.

import { Alert, Badge, Text } from "@mantine/core";
import { CircleCheck } from "../parts/icons.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { WhenBy } from "../parts/when-by.tsx";
import { whoText } from "../state/who.ts";
import { listText } from "../texts/screening.ts";
import { type HitLine, nameOfCase, type ReviewNote } from "./review.ts";
import styles from "./reviews.module.css";

type Decision = { who: string; at: number; reason: string; outcome: string };

export function Decided({ decided }: { decided: Decision | null }) {
  if (!decided) return null;
  return (
    <Alert color="gray" variant="light" icon={<CircleCheck size={18} aria-hidden />}>
      <Text size="sm">
        {`${decided.outcome}, decided by ${whoText(decided.who)}`} <When ms={decided.at} />
        {decided.reason && `: ${decided.reason}`}
      </Text>
    </Alert>
  );
}

/** A hit of the receiver, with a link to its case. */
export function HitItem({ hit, subaccountId }: { hit: HitLine; subaccountId: string }) {
  return (
    <li>
      <PageLink
        to={`/reviews?case=${nameOfCase("hit", subaccountId, hit.id)}`}
        underline="always"
        fz="sm"
      >
        {hit.listed_name || listText(hit.list)}
      </PageLink>
      <Text size="sm" c="dimmed" component="span">
        {`${percent(hit.score)} on ${listText(hit.list)}`}
      </Text>
      <Status of="hit" value={hit.status} />
    </li>
  );
}

export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

export function CaseNotes({ notes }: { notes: readonly ReviewNote[] }) {
  if (notes.length === 0) return null;
  return (
    <Panel title="Asked" flush>
      <ul className={styles.lines}>
        {notes.map(({ id, who, at, audience, note }) => (
          <li key={id} className={styles.note}>
            <Text size="sm">{note}</Text>
            <Text size="xs" c="dimmed">
              <WhenBy ms={at} who={whoText(who)} withSeconds />
            </Text>
            <Badge variant="light" color="gray" tt="none" size="sm">
              {audience === "subaccount" ? "read by the subaccount" : "reviewers only"}
            </Badge>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
