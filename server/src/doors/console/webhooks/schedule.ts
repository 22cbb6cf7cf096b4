// The retry schedule of a failing delivery, as data for a chart. Pure.

import { limits } from "../../../platform/limits/index.ts";
import { jitter, stepMs } from "../../../webhooks/delivery/index.ts";
import type { RetrySchedule } from "./schema.ts";

export function retrySchedule(): RetrySchedule {
  const steps: RetrySchedule["steps"] = [];
  let sinceFirstMs = 0;
  for (let attempt = 1; ; attempt += 1) {
    const afterMs = stepMs(attempt);
    sinceFirstMs += afterMs;
    if (sinceFirstMs > limits.deliveryTriedMs) break;
    steps.push({ attempt, after_ms: afterMs, since_first_ms: sinceFirstMs });
  }
  return { steps, tried_for_ms: limits.deliveryTriedMs, jitter };
}
