// The delivery attempts of one event, oldest first. The last one is open.

import { Accordion, Alert, Stack, Text } from "@mantine/core";
import type { EventAttempt } from "@server/console/events/schema.ts";
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
              ? webhooksTexts.theSecretThatSignedThisHas
              : webhooksTexts.aSecretThatSignedThisHas}
          </Text>
        </Alert>
      )}
      <CodeBlock text={[...sent, "", body].join("\n")} label={webhooksTexts.request} wrap />
      <CodeBlock
        text={signed_string}
        label={webhooksTexts.signedStringWebhookIdWebhookTimestamp}
        wrap
      />
      {signatures.map((one, index) => (
        <CodeBlock
          key={one}
          text={one}
          label={
            signatures.length > 1
              ? webhooksTexts.signatureWithSecret(index + 1)
              : webhooksTexts.signature
          }
          wrap
        />
      ))}
      <CodeBlock
        text={answer || "(empty)"}
        label={webhooksTexts.responseBodyFirstBytes(
          attempt.status === null ? "" : ` (status ${attempt.status})`,
        )}
        wrap
        maxHeight={240}
      />
    </Stack>
  );
}
