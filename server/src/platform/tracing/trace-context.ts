// The trace context of W3C: what a `traceparent` header carries. Pure.

/** 32 and 16 hexadecimal digits. */
export type TraceContext = { traceId: string; spanId: string };

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** `ignored`: the caller does not record this trace, so we don't either. Undefined: there is none, or it is malformed. */
export function readTraceparent(
  header: string | string[] | undefined,
): TraceContext | "ignored" | undefined {
  const found = typeof header === "string" ? pattern.exec(header) : null;
  if (!found) return undefined;
  const [, version, traceId = "", spanId = "", flags = ""] = found;
  if (version === "ff" || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return (Number.parseInt(flags, 16) & 1) === 1 ? { traceId, spanId } : "ignored";
}

export function formatTraceparent({ traceId, spanId }: TraceContext): string {
  return `00-${traceId}-${spanId}-01`;
}
