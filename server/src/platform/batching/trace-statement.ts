// Spans for statements: for one that serves many calls, and for those that serve one request.

import type { Db, Runner } from "../db/index.ts";
import { Refusal } from "../refusals/index.ts";
import type { TraceContext, Tracer } from "../tracing/index.ts";

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
  run: (span?: TraceContext) => Promise<Answer[]>,
): Promise<Answer[]> {
  const [parent, ...links] = calls.flatMap(({ trace }) => trace ?? []);
  if (!parent && !tracesOf) return run();
  const span = tracer.start({ name, kind: "client", parent, links });
  const attributes = { "db.system.name": "postgresql", "db.operation.batch.size": calls.length };
  try {
    const answers = await run(span.context);
    const found = parent ? [] : answers.flatMap((answer) => tracesOf?.(answer) ?? []);
    if (parent) span.end({ attributes });
    else if (found.length > 0) span.end({ attributes, links: found });
    return answers;
  } catch (error) {
    if (parent) span.end({ attributes, hasFailed: !(error instanceof Refusal) });
    throw error;
  }
}

/**
 * For statements that serve one request: each has a span with its name, and each transaction has one around them. Where
 * tracing is off, it returns `db` itself.
 */
export function tracedFor(db: Db, { trace }: { trace?: TraceContext | undefined }): Db {
  const { tracer } = db.listeners;
  if (!tracer || !trace) return db;
  return {
    ...tracedRunner(tracer, db, trace),
    async transaction(work, options) {
      const span = { tracer, name: "transaction" };
      const [result] = await traceStatement(span, [{ trace }], async (within = trace) => [
        await db.transaction((tx) => work(tracedRunner(tracer, tx, within)), options),
      ]);
      return result as Awaited<ReturnType<typeof work>>;
    },
  };
}

function tracedRunner<Each extends Runner>(
  tracer: Tracer,
  runner: Each,
  trace: TraceContext,
): Each {
  return {
    ...runner,
    run: (statement, values) =>
      traceStatement({ tracer, name: statement.name }, [{ trace }], () =>
        runner.run(statement, values),
      ),
  };
}
