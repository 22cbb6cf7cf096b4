// Some actions need the user to confirm their identity. A request waits here until the dialog is done or closed.

type Waiting = (confirmed: boolean) => void;

let waiting: Waiting[] = [];
let show: (isOpen: boolean) => void = () => {};

/** True: confirmed, the request can be sent again. Concurrent requests share one dialog. */
export function confirmIdentity(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    show(true);
  });
}

/** Registers the dialog. A request may be waiting for it already. */
export function onConfirmAsked(open: (isOpen: boolean) => void): () => void {
  show = open;
  if (waiting.length > 0) open(true);
  return () => {
    show = () => {};
  };
}

export function settleConfirm(confirmed: boolean): void {
  const all = waiting;
  waiting = [];
  show(false);
  for (const resolve of all) resolve(confirmed);
}
