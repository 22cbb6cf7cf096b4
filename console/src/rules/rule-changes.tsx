// What a version changes: each rule that is added, removed or changed, as sentences.

import { Text } from "@mantine/core";
import type { RuleChange } from "@server/doors/console/rules/schema.ts";
import { rulesTexts } from "../texts/rules.ts";
import styles from "./rules.module.css";

export function RuleChanges({ changes }: { changes: readonly RuleChange[] }) {
  if (changes.length === 0) return <Text size="sm">No difference from the rules in force</Text>;
  return (
    <ul className={styles.changes}>
      {changes.map(({ rule_id, kind, before, after }) => (
        <li key={rule_id} data-kind={kind}>
          <span className={styles.kind}>{rulesTexts[kind]}</span>
          <span>
            {before && <del className={styles.before}>{before}</del>}
            {after && <ins className={styles.after}>{after}</ins>}
          </span>
        </li>
      ))}
    </ul>
  );
}
