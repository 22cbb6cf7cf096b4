// One timer for all calls under way: they have the same time, so the first to start is the first to end.

/** What waits is itself the link of the list, so that waiting costs no allocation. */
export type DeadlineWait = {
  startMs: number;
  earlier: DeadlineWait | undefined;
  later: DeadlineWait | undefined;
  onDeadline(): void;
};

export type Deadlines<Call extends DeadlineWait> = {
  add(call: Call): void;
  remove(call: Call): void;
  /** Of those that wait, the one that waits longest. */
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
    if (!isTimed) lookIn(timeoutMs);
  }

  function remove(call: DeadlineWait): void {
    if (call.earlier) call.earlier.later = call.later;
    else if (first === call) first = call.later;
    if (call.later) call.later.earlier = call.earlier;
    else if (last === call) last = call.earlier;
    call.earlier = undefined;
    call.later = undefined;
  }

  function lookIn(ms: number): void {
    isTimed = true;
    // What waits keeps the process alive itself, by its sockets.
    setTimeout(look, ms).unref();
  }

  /** The timer is not moved with every call: it looks when the one that was first then would have ended. */
  function look(): void {
    const nowMs = performance.now();
    // A timer may fire a fraction of a millisecond early.
    while (first && first.startMs + timeoutMs <= nowMs + 1) {
      const call = first;
      remove(call);
      call.onDeadline();
    }
    isTimed = false;
    if (first) lookIn(Math.ceil(first.startMs + timeoutMs - nowMs));
  }

  return { add, remove, first: () => first as Call | undefined };
}
