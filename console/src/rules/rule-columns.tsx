// The columns of a list of rules.

import type { RuleLine } from "@server/doors/console/rules/schema.ts";
import type { Column } from "../parts/page-table.tsx";
import { rulesTexts } from "../texts/rules.ts";
import styles from "./rules.module.css";

export const ruleColumns: Column<RuleLine>[] = [
  {
    key: "rule",
    title: rulesTexts.rule,
    cell: ({ sentence }) => <span className={styles.sentence}>{sentence}</span>,
  },
  { key: "name", title: "Name", cell: ({ rule }) => rule.name },
];
