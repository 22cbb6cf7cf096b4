// The webhook endpoint: URL, status, delivery rate, and its actions.

import { Stack, Text } from "@mantine/core";
import type { Webhook } from "@server/doors/console/webhooks/schema.ts";
import type { ReactNode } from "react";
import { usePageOf } from "../api/me.ts";
import { dayOf } from "../overview/buckets.ts";
import { Facts } from "../parts/facts.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Sentence } from "../parts/sentence.tsx";
import { Sparkline } from "../parts/sparkline.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { countText, percentText } from "../state/locale.ts";
import { exactText } from "../state/time.ts";
import { whoText } from "../state/who.ts";
import { useZone } from "../state/zone.ts";
import { webhooksTexts } from "../texts/webhooks.ts";
import styles from "./webhooks.module.css";

export function EndpointPanel({ webhook, actions }: { webhook: Webhook; actions: ReactNode }) {
  const { url, status, secrets, waiting, waiting_is_capped, oldest_waiting_at } = webhook;
  const isTried = ["working", "failing_sometimes", "failing"].includes(status);
  return (
    <Panel title="Endpoint" actions={actions}>
      <div className={styles.health}>
        <Facts
          items={[
            {
              label: webhooksTexts.endpointUrl,
              value: <span className={styles.url}>{url || "Not configured"}</span>,
            },
            {
              label: webhooksTexts.status,
              value: (
                <Stack gap={4} align="flex-start">
                  <Status of="endpoint" value={status} />
                  <Text size="sm" c="dimmed">
                    <StateInWords webhook={webhook} />
                  </Text>
                </Stack>
              ),
            },
            {
              label: webhooksTexts.pending,
              value: (
                <Sentence
                  text={oldest_waiting_at === null ? "{events}" : "{events}, oldest {time}"}
                  parts={{
                    events: webhooksTexts.countOfEvents(
                      waiting,
                      countText(waiting, waiting_is_capped),
                    ),
                    time: <Moment ms={oldest_waiting_at} />,
                  }}
                />
              ),
            },
            isTried &&
              webhook.next_attempt_at !== null && {
                label: webhooksTexts.nextAttempt,
                value: <When ms={webhook.next_attempt_at} isPlanned />,
              },
            { label: "Signing secrets", value: <Secrets secrets={secrets} /> },
          ]}
        />
        <LastDay webhook={webhook} />
      </div>
    </Panel>
  );
}

function Moment({ ms, ...how }: { ms: number | null; isDeadline?: boolean }) {
  return ms === null ? null : <When ms={ms} {...how} />;
}

const disabledTexts = {
  gone: "The endpoint responded with 410 (Gone)",
  failing: "The endpoint was disabled because it failed for too long",
  secret: "The endpoint was disabled because its newest secret can't be decrypted",
} as const;

function StateInWords({ webhook }: { webhook: Webhook }) {
  const { status, failing_since, disabled_at, paused_by, disabled_because } = webhook;
  switch (status) {
    case "none":
      return "Events are stored and can be sent after you add an endpoint.";
    case "paused":
      return (
        <>
          By {paused_by && whoText(paused_by)} <Moment ms={disabled_at} />. New events stay pending.
        </>
      );
    case "disabled":
      return (
        <>
          {disabledTexts[disabled_because ?? "gone"]} <Moment ms={disabled_at} />, so nothing is
          sent. Resume to retry.
        </>
      );
    case "secret_unreadable":
      return (
        <>
          Since <Moment ms={failing_since} isDeadline /> the newest signing secret can't be
          decrypted, so events wait. Rotate the secret to send them.
        </>
      );
    case "failing":
      return failing_since === null ? (
        "Pending events are retried automatically."
      ) : (
        <>
          Since <Moment ms={failing_since} isDeadline />. Pending events are retried automatically.
        </>
      );
    case "failing_sometimes": {
      const { attempts, delivered } = webhook.last_day;
      return `${percent((attempts - delivered) / attempts)} of the attempts in the last 24 hours failed.`;
    }
    default:
      return "Events are sent as they happen.";
  }
}

function Secrets({ secrets }: { secrets: Webhook["secrets"] }) {
  if (secrets.length === 0) return "Created when you add an endpoint.";
  return (
    <Stack gap={2}>
      {secrets.map(({ created_at, expires_at }) => (
        <span key={created_at}>
          <Sentence
            text={
              expires_at === null
                ? "{secret} created {created}"
                : "{secret} created {created}, valid until {end}"
            }
            parts={{
              secret: <code>whsec_•••</code>,
              created: <When ms={created_at} />,
              end: <Moment ms={expires_at} isDeadline />,
            }}
          />
        </span>
      ))}
    </Stack>
  );
}

function LastDay({ webhook: { last_day: day } }: { webhook: Webhook }) {
  const zone = useZone();
  const pageOf = usePageOf();
  const since = dayOf(day.hours[0]?.from ?? 0, zone);
  const bars = day.hours.map(({ from, ok, retried, failed }) => {
    const value = ok + retried + failed;
    const hour = exactText(from, zone).slice(0, -7);
    return { value, failed, title: `${hour}: ${value} attempts, ${failed} failed` };
  });
  return (
    <div>
      <dl className={styles.figures}>
        <div>
          <dt>{webhooksTexts.delivered}</dt>
          <dd>{day.attempts === 0 ? "–" : percent(day.delivered / day.attempts)}</dd>
        </div>
        <div>
          <dt>95th percentile</dt>
          <dd>{day.p95_ms === null ? "–" : webhooksTexts.ms(countText(day.p95_ms))}</dd>
        </div>
        <div>
          <dt>{webhooksTexts.attempts}</dt>
          <dd>{countText(day.attempts)}</dd>
        </div>
        <div>
          <dt>{webhooksTexts.failed}</dt>
          <dd>
            <PageLink to={`${pageOf("webhooks")}?tab=attempts&outcome=failed&from=${since}`}>
              {countText(day.attempts - day.delivered)}
            </PageLink>
          </dd>
        </div>
      </dl>
      <Sparkline
        bars={bars}
        label={`Attempts of the last 24 hours, by the hour: ${day.attempts}, of which ${day.attempts - day.delivered} failed`}
        tone="paid"
        height={44}
      />
      <div className={styles.axis}>
        <span>24 h ago</span>
        <span>now</span>
      </div>
    </div>
  );
}

/** Rounds down: never "100%" where an attempt failed. */
function percent(part: number): string {
  return percentText(Math.floor(part * 1000) / 1000);
}
