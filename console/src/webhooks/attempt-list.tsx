// The delivery attempts of one event, oldest first. The last one is open.

import { Accordion, Alert, Stack, Text } from "@mantine/core";
import type { EventAttempt } from "@server/doors/console/events/schema.ts";
import { useState } from "react";
import { CodeBlock } from "../parts/code-block.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { webhooksTexts } from "../texts/webhooks.ts";
import { failureText } from "./attempts-tab.tsx";
import styles from "./webhooks.module.css";

export function AttemptList({
  attempts,
  body,
}: {
  attempts: readonly EventAttempt[];
  body: string;
}) {
  // The newest attempt is open until the user opens another one.
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
              <span>{webhooksTexts.ms(attempt.took_ms)}</span>
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
              ? "The secret that signed this has expired, so its signature can't be shown."
              : "A secret that signed this has expired. Only the signatures of active secrets are shown."}
          </Text>
        </Alert>
      )}
      <CodeBlock text={[...sent, "", body].join("\n")} label="Request" wrap />
      <CodeBlock
        text={signed_string}
        label="Signed string: webhook-id.webhook-timestamp.body (HMAC-SHA256)"
        wrap
      />
      {signatures.map((one, index) => (
        <CodeBlock
          key={one}
          text={one}
          label={signatures.length > 1 ? `Signature with secret ${index + 1}` : "Signature"}
          wrap
        />
      ))}
      <CodeBlock
        text={answer || "(empty)"}
        label={`Response body${attempt.status === null ? "" : ` (status ${attempt.status})`}, first bytes`}
        wrap
        maxHeight={240}
      />
    </Stack>
  );
}
