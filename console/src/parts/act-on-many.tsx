// A button that does one act to several objects. It asks first, and then says what was done, what was not, and why.

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { EachResult } from "@server/tenants/acts/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { countText } from "../state/locale.ts";
import styles from "./act-on-many.module.css";
import { Problem } from "./problem.tsx";

const doneOf = (done: number, all: number) =>
  done === all ? `Done: all ${countText(all)}` : `Done: ${countText(done)} of ${countText(all)}`;

type Result = Pick<EachResult["results"][number], "id" | "is_done" | "message">;

export function ActOnMany({
  label,
  title,
  text,
  sum,
  details,
  keep = "Cancel",
  danger = false,
  items,
  onAct,
  onDone,
}: {
  label: string;
  title: string;
  text: string;
  sum?: string;
  /** Shown instead of the sum. */
  details?: ReactNode;
  /** The label of the button that changes nothing. */
  keep?: string;
  danger?: boolean;
  items: readonly { id: string; name: string }[];
  onAct: (ids: string[]) => Promise<readonly Result[]>;
  /** After the user has read the result. */
  onDone: () => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const act = useMutation({ mutationFn: () => onAct(items.map(({ id }) => id)) });
  // What the rows are called before they change or leave the list.
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const results = act.data;
  const close = () => {
    setAsking(false);
    if (results) onDone();
    act.reset();
  };
  return (
    <>
      <Button
        size="compact-md"
        variant="default"
        {...(danger ? { c: "var(--mantine-color-error)" } : {})}
        onClick={() => {
          setNames(new Map(items.map(({ id, name }) => [id, name])));
          setAsking(true);
        }}
      >
        {label}
      </Button>
      <Modal opened={isAsking} onClose={close} title={title}>
        <Stack gap="md">
          {results ? (
            <Summary results={results} names={names} />
          ) : (
            <>
              <Text size="sm">
                {text} {sum && !details && <strong>{sum}</strong>}
              </Text>
              {details}
            </>
          )}
          <Problem error={act.error} />
          <Group justify="flex-end" gap="xs">
            {results ? (
              <Button onClick={close} data-autofocus>
                Close
              </Button>
            ) : (
              <>
                <Button variant="default" onClick={close}>
                  {keep}
                </Button>
                <Button
                  {...(danger ? { color: "red" } : {})}
                  loading={act.isPending}
                  onClick={() => act.mutate()}
                  data-autofocus
                >
                  {label}
                </Button>
              </>
            )}
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function Summary({
  results,
  names,
}: {
  results: readonly Result[];
  names: ReadonlyMap<string, string>;
}) {
  const refused = results.filter(({ is_done }) => !is_done);
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">{doneOf(results.length - refused.length, results.length)}</Text>
      {refused.length > 0 && (
        <>
          <Text size="sm" fw={500}>
            {`Not done: ${countText(refused.length)}`}
          </Text>
          <ul className={styles.refused}>
            {refused.map(({ id, message }) => (
              <li key={id}>
                <strong>{names.get(id) ?? id}</strong>
                <span>{message}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Stack>
  );
}
