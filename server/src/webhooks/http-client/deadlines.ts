// One timer for all running calls: they have the same timeout, so the first to start is the first to time out.

/** A call is itself a node of the linked list, so that adding it allocates nothing. */
export type DeadlineWait = {
  startMs: number;
  earlier: DeadlineWait | undefined;
  later: DeadlineWait | undefined;
  onDeadline(): void;
};

export type Deadlines<Call extends DeadlineWait> = {
  add(call: Call): void;
  remove(call: Call): void;
  /** The call that has waited longest. */
  first(): Call | undefined;
};

export function deadlines<Call extends DeadlineWait>(timeoutMs: number): Deadlines<Call> {
  let first: DeadlineWait | undefined;
  let last: DeadlineWait | undefined;
  let isTimed = false;

  function add(call: DeadlineWait): void {
    call.earlier = last;
    if (last) last.later = call;
    else first = call;
    last = call;
    if (!isTimed) checkIn(timeoutMs);
  }

  function remove(call: DeadlineWait): void {
    if (call.earlier) call.earlier.later = call.later;
    else if (first === call) first = call.later;
    if (call.later) call.later.earlier = call.earlier;
    else if (last === call) last = call.earlier;
    call.earlier = undefined;
    call.later = undefined;
  }

  function checkIn(ms: number): void {
    isTimed = true;
    // The sockets of the calls keep the process alive.
    setTimeout(check, ms).unref();
  }

  /** The timer is not reset with every call. It fires when the call that was first at that time would time out. */
  function check(): void {
    const nowMs = performance.now();
    // A timer may fire a fraction of a millisecond early.
    while (first && first.startMs + timeoutMs <= nowMs + 1) {
      const call = first;
      remove(call);
      call.onDeadline();
    }
    isTimed = false;
    if (first) checkIn(Math.ceil(first.startMs + timeoutMs - nowMs));
  }

  return { add, remove, first: () => first as Call | undefined };
}
