// An error message: what is wrong, field by field, and the request ID to quote.

import { Alert, Button, Group, List, Text } from "@mantine/core";
import { ApiProblem, textOf } from "../api/problem.ts";
import { CircleAlert } from "./icons.tsx";
import { IdChip } from "./id-chip.tsx";
import { InlineCode } from "./inline-code.tsx";

export function Problem({
  error,
  fields = [],
  onRetry,
}: {
  error: unknown;
  /** These fields show their problems themselves. */
  fields?: readonly string[];
  onRetry?: (() => void) | undefined;
}) {
  const left = error instanceof ApiProblem ? error.without(fields) : error;
  if (!left) return null;
  const { title, lines, requestId } = inWords(left);
  const isShort = lines.length === 0;
  // Trying again does not change a permission.
  const retry = error instanceof ApiProblem && error.has("CONS102") ? undefined : onRetry;
  return (
    <Alert
      color="red"
      role="alert"
      variant="light"
      icon={<CircleAlert size={18} aria-hidden />}
      {...(isShort ? {} : { title: <InlineCode text={title} /> })}
    >
      {isShort && (
        <Text size="sm" fw={500}>
          <InlineCode text={title} />
        </Text>
      )}
      {lines.length === 1 && (
        <Text size="sm">
          <InlineCode text={lines[0] ?? ""} />
        </Text>
      )}
      {lines.length > 1 && (
        <List size="sm">
          {lines.map((line) => (
            <List.Item key={line}>
              <InlineCode text={line} />
            </List.Item>
          ))}
        </List>
      )}
      {(retry || requestId) && (
        <Group mt="xs" gap="sm">
          {retry && (
            <Button size="compact-sm" variant="default" onClick={retry}>
              Try again
            </Button>
          )}
          {requestId && (
            <Text size="xs" c="dimmed" component="span">
              Request <IdChip id={requestId} short />
            </Text>
          )}
        </Group>
      )}
    </Alert>
  );
}

/** One line, for a notification. */
export function problemText(error: unknown): string {
  const { title, lines } = inWords(error);
  return [title, ...lines].join(". ").replaceAll("`", "");
}

function inWords(error: unknown): {
  title: string;
  lines: string[];
  requestId: string | undefined;
} {
  if (!(error instanceof ApiProblem)) {
    return {
      title: "Something went wrong on this page. Reload it.",
      lines: [],
      requestId: undefined,
    };
  }
  const { problems, message, status, requestId } = error;
  const lines = problems.map((problem) =>
    [problem.field && `${labelOf(problem.field)}: `, textOf(problem)].filter(Boolean).join(""),
  );
  const [only] = problems;
  // A single problem needs no heading.
  if (problems.length === 1 && only && !only.field) {
    return {
      title: textOf(only),
      lines: only.code ? [`Code ${only.code}`] : [],
      requestId: status >= 500 ? requestId : undefined,
    };
  }
  return { title: message, lines, requestId: status >= 500 ? requestId : undefined };
}

/** `account_number` is "Account number". */
function labelOf(field: string): string {
  const words = field.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
