// A panel with a plot that is also available as a table.

import { Button, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { ChartColumn, Table2 } from "./icons.tsx";
import { Panel } from "./panel.tsx";
import styles from "./plot.module.css";

export function Plot({
  title,
  isEmpty,
  plot,
  table,
  label,
  above,
  actions,
}: {
  title: string;
  isEmpty: boolean;
  plot: ReactNode;
  table: ReactNode;
  /** What the plot shows, for screen readers. */
  label?: string;
  /** Shown with the plot and with the table. */
  above?: ReactNode;
  actions?: ReactNode;
}) {
  const [isTable, setTable] = useState(false);
  const Icon = isTable ? ChartColumn : Table2;
  return (
    <Panel
      plain
      title={title}
      actions={
        <>
          {actions}
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<Icon size={14} aria-hidden />}
            aria-label={isTable ? `${title}: view as plot` : `${title}: view as table`}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? "Plot" : "Table"}
          </Button>
        </>
      }
    >
      {above}
      {isEmpty && !isTable ? (
        <Text size="sm" c="dimmed" className={styles.nothing ?? ""}>
          No data for this period.
        </Text>
      ) : isTable ? (
        table
      ) : label ? (
        <figure className={styles.picture} aria-label={label}>
          {plot}
        </figure>
      ) : (
        plot
      )}
    </Panel>
  );
}
