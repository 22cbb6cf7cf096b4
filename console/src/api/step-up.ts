// Some acts ask for a fresh proof of who acts. A call waits here until the dialog has got it, or was closed.

type Waiting = (confirmed: boolean) => void;

let waiting: Waiting[] = [];
let show: (isOpen: boolean) => void = () => {};

/** True: confirmed, the call can be tried again. Several calls at once share one dialog. */
export function confirmPerson(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    show(true);
  });
}

/** The dialog says how it is opened. A call may be waiting for it already. */
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
