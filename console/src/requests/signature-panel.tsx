// Why a signature failed: the part that differs, the expected string to sign, and the header received.

import { Alert, Stack, Text } from "@mantine/core";
import type { RequestDetail } from "@server/doors/request-list/schema.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { KeyRound } from "../parts/icons.tsx";
import { InlineCode } from "../parts/inline-code.tsx";
import { Panel } from "../parts/panel.tsx";
import { requestsTexts } from "../texts/requests.ts";

const parts: Record<string, string> = {
  header: "header",
  time: "timestamp",
  key: requestsTexts.apiKey,
  method: "method",
  path: "path",
  body: "body",
  text: "string to sign",
  secret: "secret",
};

export function SignaturePanel({
  signature: { part, hint, expected, received },
}: {
  signature: NonNullable<RequestDetail["signature"]>;
}) {
  return (
    <Panel title="Why the signature failed">
      <Stack gap="sm">
        <Alert
          color="yellow"
          variant="light"
          icon={<KeyRound size={18} aria-hidden />}
          title={`Likely cause: wrong ${parts[part] ?? part}`}
        >
          <Text size="sm">
            <InlineCode text={hint} />
          </Text>
        </Alert>
        {expected !== null && (
          <CodeBlock
            text={expected}
            label="Expected string to sign (HMAC-SHA256 with the key's secret)"
            wrap
          />
        )}
        {received !== null && <CodeBlock text={received} label="Received header" wrap />}
        <Text size="sm" c="dimmed">
          Shown in test mode only. Compare it line by line with the string that your program signs.
        </Text>
      </Stack>
    </Panel>
  );
}
