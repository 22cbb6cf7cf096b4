// A span for a statement that serves many requests.

import type { TraceContext } from "../tracing/trace-context.ts";
import type { Tracer } from "../tracing/tracer.ts";

/** A child of the span of the first request, with links to the others. */
export async function traceStatement<T>(
  tracer: Tracer,
  name: string,
  callers: readonly { trace?: TraceContext | undefined }[],
  run: () => Promise<T>,
): Promise<T> {
  const [parent, ...links] = callers.flatMap(({ trace }) => trace ?? []);
  if (!parent) return run();
  const span = tracer.start({ name, kind: "client", parent, links });
  const attributes = { "db.system.name": "postgresql", "db.operation.batch.size": callers.length };
  try {
    const result = await run();
    span.end({ attributes });
    return result;
  } catch (error) {
    span.end({ attributes, hasFailed: true });
    throw error;
  }
}
