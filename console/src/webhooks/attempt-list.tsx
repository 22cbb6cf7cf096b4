// The attempts to deliver one event, oldest first; the last one is open.

import { Accordion, Alert, Stack, Text } from "@mantine/core";
import type { EventAttempt } from "@server/console/events/schema.ts";
import { useState } from "react";
import { CodeBlock } from "../parts/code-block.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { failureText } from "./attempts-tab.tsx";
import styles from "./webhooks.module.css";

export function AttemptList({
  attempts,
  body,
}: {
  attempts: readonly EventAttempt[];
  body: string;
}) {
  // Until the person opens another, the newest: also one that comes while they look.
  const [chosen, setChosen] = useState<string | null>();
  const open = chosen === undefined ? String(attempts.at(-1)?.at) : chosen;
  return (
    <Accordion value={open} onChange={setChosen} variant="contained">
      {attempts.map((attempt) => (
        <Accordion.Item key={attempt.at} value={String(attempt.at)}>
          <Accordion.Control>
            <span className={styles.attempt}>
              <span className={styles.number}>{attempt.number}</span>
              <When ms={attempt.at} withSeconds />
              <Status of="http" value={attempt.status ?? 0} />
              <span>{attempt.took_ms} ms</span>
              {attempt.failure !== null && <Text size="sm">{failureText(attempt)}</Text>}
            </span>
          </Accordion.Control>
          <Accordion.Panel>
            <Exchange attempt={attempt} body={body} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

function Exchange({ attempt, body }: { attempt: EventAttempt; body: string }) {
  const { headers, signatures, signed_string, has_ended_secret, answer } = attempt;
  const signature = signatures.length > 0 ? { "webhook-signature": signatures.join(" ") } : {};
  const sent = Object.entries({ ...headers, ...signature }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return (
    <Stack gap="sm">
      {has_ended_secret && (
        <Alert color="gray" variant="light">
          <Text size="sm">
            {signatures.length === 0
              ? "The secret that signed this has ended since, so its signature can't be shown."
              : "A secret that signed this has ended since: only the signatures of those that live are shown."}
          </Text>
        </Alert>
      )}
      <CodeBlock text={[...sent, "", body].join("\n")} label="Request" wrap />
      <CodeBlock
        text={signed_string}
        label="Signed string: webhook-id.webhook-timestamp.body, under HMAC-SHA256"
        wrap
      />
      {signatures.map((one, index) => (
        <CodeBlock
          key={one}
          text={one}
          label={signatures.length > 1 ? `Signature by secret ${index + 1}` : "Signature"}
          wrap
        />
      ))}
      <CodeBlock
        text={answer || "(nothing)"}
        label={`Answer${attempt.status === null ? "" : ` ${attempt.status}`}, how it began`}
        wrap
        maxHeight={240}
      />
    </Stack>
  );
}
