// Metrics of this process: its event loop, memory, open files and processor time.

import { readdirSync } from "node:fs";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { Gauge } from "@prometheus-io/client";
import type { Counters } from "./counters.ts";

type ProcessGauge =
  | "nodejs_eventloop_lag_max_seconds"
  | "nodejs_eventloop_lag_p50_seconds"
  | "nodejs_eventloop_lag_p99_seconds"
  | "nodejs_eventloop_utilization"
  | "nodejs_heap_size_used_bytes"
  | "process_open_fds"
  | "process_resident_memory_bytes"
  | "process_start_time_seconds";

/** This interval costs 0.2 % of a core; the client's 10 ms would cost twice that. */
const lagResolutionMs = 20;

type Makers = {
  counters: (name: "process_cpu_seconds_total") => Counters;
  gauge: (name: ProcessGauge) => Gauge<string>;
};

/** The cheap and useful ones of the client's default metrics. */
export function processCollector({ counters, gauge }: Makers): () => void {
  const lags = [
    { gauge: gauge("nodejs_eventloop_lag_p50_seconds"), percent: 50 },
    { gauge: gauge("nodejs_eventloop_lag_p99_seconds"), percent: 99 },
    { gauge: gauge("nodejs_eventloop_lag_max_seconds"), percent: 100 },
  ];
  const utilization = gauge("nodejs_eventloop_utilization");
  const heap = gauge("nodejs_heap_size_used_bytes");
  const resident = gauge("process_resident_memory_bytes");
  const openFiles = gauge("process_open_fds");
  const cpu = counters("process_cpu_seconds_total").of();
  gauge("process_start_time_seconds").set(Math.round(performance.timeOrigin / 1000));
  const delays = monitorEventLoopDelay({ resolution: lagResolutionMs });
  delays.enable();
  let before = performance.eventLoopUtilization();

  return () => {
    for (const { gauge, percent } of lags) {
      // The histogram holds the time between two ticks of a timer.
      gauge.set(Math.max(0, delays.percentile(percent) / 1e9 - lagResolutionMs / 1000));
    }
    delays.reset();
    const now = performance.eventLoopUtilization();
    utilization.set(performance.eventLoopUtilization(now, before).utilization);
    before = now;
    const { rss, heapUsed } = process.memoryUsage();
    resident.set(rss);
    heap.set(heapUsed);
    const { user, system } = process.cpuUsage();
    cpu.value = (user + system) / 1e6;
    const count = openFileCount();
    if (count !== undefined) openFiles.set(count);
  };
}

function openFileCount(): number | undefined {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return undefined;
  }
}
