// A span for a statement that serves many calls.

import type { TraceContext } from "../tracing/trace-context.ts";
import type { Tracer } from "../tracing/tracer.ts";
import type { Runner } from "./connect.ts";

export type StatementSpan<Answer> = {
  tracer: Tracer;
  name: string;
  /** The traces that an answer belongs to, where the calls have none. */
  tracesOf?: (answer: Answer) => TraceContext[];
};

/** Undefined: tracing is off. */
export function spanOf<Answer>(
  { listeners: { tracer } }: Pick<Runner, "listeners">,
  name: string,
  tracesOf?: StatementSpan<Answer>["tracesOf"],
): StatementSpan<Answer> | undefined {
  return tracer && { tracer, name, ...(tracesOf && { tracesOf }) };
}

/**
 * A child of the span of the first request, with links to the others. Where only the answers say what it was for, it
 * begins a trace with links to theirs. For calls without any trace there is no span.
 */
export async function traceStatement<Answer>(
  { tracer, name, tracesOf }: StatementSpan<Answer>,
  calls: readonly { trace?: TraceContext | undefined }[],
  run: () => Promise<Answer[]>,
): Promise<Answer[]> {
  const [parent, ...links] = calls.flatMap(({ trace }) => trace ?? []);
  if (!parent && !tracesOf) return run();
  const span = tracer.start({ name, kind: "client", parent, links });
  const attributes = { "db.system.name": "postgresql", "db.operation.batch.size": calls.length };
  try {
    const answers = await run();
    const found = parent ? [] : answers.flatMap((answer) => tracesOf?.(answer) ?? []);
    if (parent) span.end({ attributes });
    else if (found.length > 0) span.end({ attributes, links: found });
    return answers;
  } catch (error) {
    if (parent) span.end({ attributes, hasFailed: true });
    throw error;
  }
}
