// The user as the caller of each row of a file.

import { type Caller, newId } from "../../../platform/base/index.ts";

/** Each row needs its own request id, which identifies it within the batch. */
export function rowCallers(caller: Caller): (idempotency: Caller["idempotency"]) => Caller {
  return (idempotency) => ({ ...caller, requestId: newId(), idempotency });
}
