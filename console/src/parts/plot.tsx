// A panel with a plot that is also available as a table. The plot may come with the chart library, which is loaded when
// it is first shown.

import { Button, Skeleton, Text } from "@mantine/core";
import { type ReactNode, Suspense, useState } from "react";
import { partsTexts } from "../texts/parts.ts";
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
  height = 230,
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
  /** Kept free while the chart library is loading. */
  height?: number;
}) {
  const [isTable, setTable] = useState(false);
  const Icon = isTable ? ChartColumn : Table2;
  const drawn = <Suspense fallback={<Skeleton h={height} />}>{plot}</Suspense>;
  return (
    <Panel
      title={title}
      actions={
        <>
          {actions}
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<Icon size={14} aria-hidden />}
            aria-label={isTable ? partsTexts.viewAsPlot(title) : partsTexts.viewAsTable(title)}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? partsTexts.plot : partsTexts.table}
          </Button>
        </>
      }
    >
      {above}
      {isEmpty && !isTable ? (
        <Text size="sm" c="dimmed" className={styles.nothing ?? ""}>
          {partsTexts.noDataForThisPeriod}
        </Text>
      ) : isTable ? (
        table
      ) : label ? (
        <figure className={styles.picture} aria-label={label}>
          {drawn}
        </figure>
      ) : (
        drawn
      )}
    </Panel>
  );
}
