// Processor time per operation, beside the rate of a round.

import type { Round } from "./load.ts";
import { processorTimeUs } from "./processor-time.ts";

/** Microseconds of processor time per operation. Undefined where they are not known. */
export type Times = { serviceUs?: number | undefined; postgresUs?: number | undefined };

/** Process ids. Children count as well, such as the processes of a service and the backends of PostgreSQL. */
export type Timed = { service?: number; postgres: number };

type Rate = Partial<Round> & { perSecond: number };

/** The same load, with its processor time. */
export function timed<Result extends Rate>(
  { service, postgres }: Timed,
  run: (durationMs: number) => Promise<Result>,
): (durationMs: number) => Promise<Result & Times> {
  return async (durationMs) => {
    const before = { service: timeOf(service), postgres: timeOf(postgres), ms: performance.now() };
    const round = await run(durationMs);
    const { answers = (round.perSecond * (performance.now() - before.ms)) / 1000 } = round;
    const each = (startUs: number | undefined, endUs: number | undefined) =>
      startUs === undefined || endUs === undefined ? undefined : (endUs - startUs) / answers;
    return {
      ...round,
      serviceUs: each(before.service, timeOf(service)),
      postgresUs: each(before.postgres, timeOf(postgres)),
    };
  };
}

function timeOf(pid: number | undefined): number | undefined {
  return pid === undefined ? undefined : processorTimeUs(pid, { withChildren: true });
}
