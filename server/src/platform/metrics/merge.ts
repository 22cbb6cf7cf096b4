// The metrics of several processes as one text. Every series gets the label `process`, so that Prometheus sees when a
// process was started again and its counters begin at zero.

import { Registry } from "@prometheus-io/client";
import { type MetricDefinition, metricTable } from "./metric-table.ts";

/** As the registry gives it. */
export type MetricFamily = {
  name: string;
  help: string;
  type: string;
  values: { metricName?: string; value: number; labels: Record<string, string | number> }[];
};

type ProcessMetrics = { number: number; families: readonly MetricFamily[] };

const ofSupervisor = new Set<string>(
  (Object.entries(metricTable) as [string, MetricDefinition][])
    .filter(([, definition]) => definition.ofSupervisor)
    .map(([name]) => name),
);
/** Memory, processor time and event loop: of the supervisor as well. */
const ofAnyProcess = /^(process|nodejs)_/;

export async function mergeMetrics(
  supervisor: readonly MetricFamily[],
  processes: readonly ProcessMetrics[],
): Promise<string> {
  const registry = new Registry();
  for (const { name, help, type, values } of supervisor) {
    const isAlone = ofSupervisor.has(name);
    const own = isAlone ? values : ofAnyProcess.test(name) ? labelled(values, "supervisor") : [];
    const others = isAlone
      ? []
      : processes.flatMap(({ number, families }) => {
          const family = families.find((one) => one.name === name);
          return labelled(family?.values ?? [], String(number));
        });
    const family = { name, help, type, values: [...own, ...others] };
    registry.registerMetric({ name, get: () => family } as never);
  }
  return registry.metrics();
}

function labelled(values: MetricFamily["values"], process: string): MetricFamily["values"] {
  return values.map((value) => ({ ...value, labels: { ...value.labels, process } }));
}
