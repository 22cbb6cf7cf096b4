// The timeline of a payout, and its next step.

import { Group, Text, VisuallyHidden } from "@mantine/core";
import type { PayoutDetail, TimelineEntry } from "@server/doors/console/payouts/schema.ts";
import { useQueryClient } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import {
  ArrowRightLeft,
  Bell,
  CircleDot,
  type Icon,
  Landmark,
  Scale,
  Send,
  Terminal,
  User,
} from "../parts/icons.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { When } from "../parts/when.tsx";
import { payoutsTexts } from "../texts/payouts.ts";
import styles from "./payout.module.css";

const kinds: Record<TimelineEntry["kind"], { icon: Icon; word: string }> = {
  request: { icon: Terminal, word: "API request" },
  state: { icon: CircleDot, word: payoutsTexts.status },
  rail: { icon: Landmark, word: payoutsTexts.bank },
  rule: { icon: Scale, word: "Rule" },
  ledger: { icon: ArrowRightLeft, word: "Money" },
  act: { icon: User, word: payoutsTexts.user },
  event: { icon: Bell, word: "Event" },
  attempt: { icon: Send, word: payoutsTexts.delivery },
};

export function Timeline({ payout }: { payout: PayoutDetail }) {
  const { timeline, what_now } = payout;
  return (
    <>
      <ol className={styles.timeline}>
        {timeline.map((entry, index) => (
          // Entries never change or move: new ones are added at the end.
          // biome-ignore lint/suspicious/noArrayIndexKey: several may be of one moment and kind
          <Entry key={index} entry={entry} />
        ))}
      </ol>
      <div className={styles.whatNow} data-tone={what_now.tone}>
        <Text size="sm">
          <strong>Next step:</strong> {what_now.line}
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
  const readsBanks = useMay("banks.read");
  const pages = {
    event: (id: string) => pageOf("webhooks", "events", id),
    request: (id: string) => pageOf("requests", id),
    payout: (id: string) => pageOf("payouts", id),
    bank_file: (id: string) => `/banks/batches/${id}`,
  };
  const words = {
    bank_file: "Open bank file",
    event: "Open event",
    request: "Open request",
    payout: "Open payout",
  };
  return (
    <li className={styles.entry} data-tone={tone} data-kind={kind}>
      <span className={styles.icon} title={word}>
        <Icon size={13} aria-hidden />
        <VisuallyHidden>{word}: </VisuallyHidden>
      </span>
      <div className={styles.what}>
        <Group gap={6} wrap="wrap">
          <span className={styles.title}>{title}</span>
          {who && <span className={styles.who}>{payoutsTexts.by(who)}</span>}
          {links
            .filter(({ kind }) => kind !== "bank_file" || readsBanks)
            .map(({ kind, id }) => (
              <PageLink key={id} to={pages[kind](id)} fz="xs">
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
                <When ms={next_at} isPlanned />
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

/** Shown where the latest event was not delivered: the endpoint may be fixed by now. */
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
  return <Act label="Resend now" size="compact-sm" onAct={resend} done="Event resent" />;
}
