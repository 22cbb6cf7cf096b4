// What reviewers asked the subaccount about a receiver, newest first.

import { Text } from "@mantine/core";
import { Panel } from "../parts/panel.tsx";
import { WhenBy } from "../parts/when-by.tsx";
import type { ReceiverDetail } from "./receiver.ts";
import styles from "./receivers.module.css";

export function Questions({ questions }: Pick<ReceiverDetail, "questions">) {
  if (questions.length === 0) return null;
  return (
    <Panel title="Questions of reviewers" flush>
      <ol className={styles.history}>
        {questions.map(({ id, note, at, who }) => (
          <li key={id}>
            <Text size="sm">{note}</Text>
            <Text size="xs" c="dimmed">
              <WhenBy ms={at} who={who} withSeconds />
            </Text>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
