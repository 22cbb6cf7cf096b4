// All that happened to a payout in one order, ending in what to do now.

import { Group, Text } from "@mantine/core";
import type { PayoutDetail, TimelineEntry } from "@server/console/payouts/schema.ts";
import { useQueryClient } from "@tanstack/react-query";
import {
  ArrowRightLeft,
  Bell,
  CircleDot,
  Landmark,
  type LucideIcon,
  Send,
  Terminal,
  User,
} from "lucide-react";
import { send } from "../api/call.ts";
import { useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { When } from "../parts/when.tsx";
import styles from "./payout.module.css";

const kinds: Record<TimelineEntry["kind"], { icon: LucideIcon; word: string }> = {
  request: { icon: Terminal, word: "API call" },
  state: { icon: CircleDot, word: "State" },
  rail: { icon: Landmark, word: "Bank" },
  ledger: { icon: ArrowRightLeft, word: "Money" },
  act: { icon: User, word: "Person" },
  event: { icon: Bell, word: "Event" },
  attempt: { icon: Send, word: "Delivery" },
};

export function Timeline({ payout }: { payout: PayoutDetail }) {
  const { timeline, what_now } = payout;
  return (
    <>
      <ol className={styles.timeline}>
        {timeline.map((entry, index) => (
          // What happened stays as it is and where it is: new entries come after it.
          // biome-ignore lint/suspicious/noArrayIndexKey: several may be of one moment and kind
          <Entry key={index} entry={entry} />
        ))}
      </ol>
      <div className={styles.whatNow} data-tone={what_now.tone}>
        <Text size="sm">
          <strong>What now: </strong>
          {what_now.line}
        </Text>
        <ResendNow payout={payout} />
      </div>
    </>
  );
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const pageOf = usePageOf();
  const { at, kind, title, detail, who, tone, links, next_at } = entry;
  const { icon: Icon, word } = kinds[kind];
  const hrefs = { event: ["webhooks", "events"], request: ["requests"], payout: ["payouts"] };
  const words = { event: "Open the event", request: "Open the call", payout: "Open that payout" };
  return (
    <li className={styles.entry} data-tone={tone} data-kind={kind}>
      <span className={styles.icon} title={word}>
        <Icon size={13} aria-hidden />
        <span className={styles.said}>{word}: </span>
      </span>
      <div className={styles.what}>
        <Group gap={6} wrap="wrap">
          <span className={styles.title}>{title}</span>
          {who && <span className={styles.who}>by {who}</span>}
          {links.map(({ kind, id }) => (
            <PageLink key={id} to={pageOf(...hrefs[kind], id)} fz="xs">
              {words[kind]}
            </PageLink>
          ))}
        </Group>
        {(detail || next_at) && (
          <div className={styles.detail}>
            {detail}
            {next_at && (
              <>
                {" "}
                <When ms={next_at} />
              </>
            )}
          </div>
        )}
      </div>
      <span className={styles.at}>
        <When ms={at} withSeconds />
      </span>
    </li>
  );
}

/** Where the latest event was not heard, and somebody may have mended the endpoint. */
function ResendNow({ payout: { event } }: { payout: PayoutDetail }) {
  const { id, is_closed } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const mayResend = useMay("webhooks.write") && !is_closed;
  const isUnheard =
    event?.status === "undelivered" || (event?.status === "waiting" && event.attempts > 0);
  if (!mayResend || !event || !isUnheard) return null;
  const resend = async () => {
    await send("POST", apiOf(`/events/${event.id}/resend`));
    await client.invalidateQueries({ queryKey: [id] });
  };
  return <Act label="Resend now" size="compact-sm" onAct={resend} done="It is told again" />;
}
