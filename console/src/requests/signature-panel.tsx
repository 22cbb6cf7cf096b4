// Why a signature failed: which part differs, the text that should have been signed, and what came.

import { Alert, Stack, Text } from "@mantine/core";
import type { RequestDetail } from "@server/console/requests/schema.ts";
import { KeyRound } from "lucide-react";
import { CodeBlock } from "../parts/code-block.tsx";
import { Panel } from "../parts/panel.tsx";

const parts: Record<string, string> = {
  header: "The header",
  time: "The time",
  key: "The key",
  method: "The method",
  path: "The path",
  body: "The body",
  text: "The text",
  secret: "The secret",
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
          title={`${parts[part] ?? part} is at fault`}
        >
          <Text size="sm">{hint}</Text>
        </Alert>
        {expected !== null && (
          <CodeBlock
            text={expected}
            label="We expected this text, signed by HMAC-SHA256 with the key's secret"
            wrap
          />
        )}
        {received !== null && <CodeBlock text={received} label="We received this header" wrap />}
        <Text size="sm" c="dimmed">
          Shown for test subaccounts only. Compare it with what your program signs, line by line.
        </Text>
      </Stack>
    </Panel>
  );
}
