// Where events go, whether they arrive there, and what a person may do about it.

import { Stack, Text } from "@mantine/core";
import type { Webhook } from "@server/console/webhooks/schema.ts";
import type { ReactNode } from "react";
import { Facts } from "../parts/facts.tsx";
import { Panel } from "../parts/panel.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { Sparkline } from "./sparkline.tsx";
import styles from "./webhooks.module.css";

export function EndpointPanel({ webhook, actions }: { webhook: Webhook; actions: ReactNode }) {
  const { url, status, secrets, waiting, waiting_is_capped, oldest_waiting_at } = webhook;
  const isTried = ["working", "failing_sometimes", "failing"].includes(status);
  return (
    <Panel title="Endpoint" actions={actions}>
      <div className={styles.health}>
        <Facts
          items={[
            { label: "Address", value: <span className={styles.url}>{url || "Nowhere yet"}</span> },
            {
              label: "State",
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
              label: "Waiting",
              value: (
                <>
                  {waiting.toLocaleString("en")}
                  {waiting_is_capped && "+"} {waiting === 1 ? "event" : "events"}
                  {oldest_waiting_at !== null && (
                    <>
                      , the oldest from <When ms={oldest_waiting_at} />
                    </>
                  )}
                </>
              ),
            },
            isTried &&
              webhook.next_attempt_at !== null && {
                label: "Next attempt",
                value: <When ms={webhook.next_attempt_at} />,
              },
            { label: "Signing secrets", value: <Secrets secrets={secrets} /> },
          ]}
        />
        <LastDay webhook={webhook} />
      </div>
    </Panel>
  );
}

function StateInWords({ webhook }: { webhook: Webhook }) {
  const { status, failing_since, disabled_at, paused_by } = webhook;
  switch (status) {
    case "none":
      return "Events are kept, and can be told once there is an address.";
    case "paused":
      return (
        <>
          By {paused_by?.replace("operator:", "")}
          {disabled_at !== null && (
            <>
              {" "}
              <When ms={disabled_at} />
            </>
          )}
          . What happens meanwhile waits.
        </>
      );
    case "disabled":
      return (
        <>
          It answered 410
          {disabled_at !== null && (
            <>
              {" "}
              <When ms={disabled_at} />
            </>
          )}
          , so nothing is sent. Resume to try again.
        </>
      );
    case "failing":
      return (
        <>
          {failing_since !== null && (
            <>
              Since <When ms={failing_since} />.{" "}
            </>
          )}
          What waits is tried again by itself.
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
  if (secrets.length === 0) return "One is made with the first address.";
  return (
    <Stack gap={2}>
      {secrets.map(({ created_at, expires_at }) => (
        <span key={created_at}>
          <code>whsec_•••</code> made <When ms={created_at} />
          {expires_at !== null && (
            <>
              , signs until <When ms={expires_at} />
            </>
          )}
        </span>
      ))}
    </Stack>
  );
}

function LastDay({ webhook: { last_day: day } }: { webhook: Webhook }) {
  return (
    <div>
      <dl className={styles.figures}>
        <div>
          <dt>Heard</dt>
          <dd>{day.attempts === 0 ? "–" : percent(day.delivered / day.attempts)}</dd>
        </div>
        <div>
          <dt>p95</dt>
          <dd>{day.p95_ms === null ? "–" : `${day.p95_ms.toLocaleString("en")} ms`}</dd>
        </div>
        <div>
          <dt>Attempts</dt>
          <dd>{day.attempts.toLocaleString("en")}</dd>
        </div>
      </dl>
      <Sparkline day={day} />
      <div className={styles.axis}>
        <span>24 h ago</span>
        <span>now</span>
      </div>
    </div>
  );
}

/** Never "100 %" for something that failed once. */
function percent(part: number): string {
  return `${(Math.floor(part * 1000) / 10).toLocaleString("en", { maximumFractionDigits: 1 })} %`;
}
