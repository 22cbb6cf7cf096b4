// What other nouns use of tracing. The rest of this folder is private to it.

export { formatTraceparent, readTraceparent, type TraceContext } from "./trace-context.ts";
export { openTracer, type Span, type Tracer } from "./tracer.ts";
