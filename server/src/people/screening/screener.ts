// Screens subjects against the index in memory. A process with an older set records that older set; the worker does
// the rest.

import { type Db, listenTo, startPoller, type Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Subject } from "./hit.ts";
import { type Screened, writeScreening } from "./record-queries.ts";
import { buildScreeningIndex, type ScreeningIndex } from "./screening-index.ts";
import { currentSetId, loadEntries, screeningSetChannel } from "./set-queries.ts";

/** Holds the unsent payouts of a receiver, in the transaction that opens the hit. */
export type HoldPayouts = (
  tx: Tx,
  receiver: { subaccountId: string; receiverId: string },
  hit: { id: string; atMs: number },
) => Promise<void>;

export type Screener = {
  /** One for each subject. Undefined: nothing has to be written. `areChanged`: they may have records, about what they were. */
  screen(subjects: readonly Subject[], areChanged?: boolean): (Screened | undefined)[];
  readonly hold: HoldPayouts;
};

/** The index in memory, and the set that it is of. */
export type LoadedSet = { readonly setId: number; readonly index: ScreeningIndex };

/** For receivers whose records the walk writes later: example data, and tests of other things. */
export const noScreening: Screener = {
  screen: (subjects) => subjects.map(() => undefined),
  hold: async () => {},
};

export function screenerOf(loaded: () => LoadedSet | undefined, hold: HoldPayouts): Screener {
  return {
    screen(subjects, areChanged = false) {
      const set = loaded();
      if (!set) return subjects.map(() => undefined);
      const { setId, index } = set;
      // Until a list is imported there are only embargoed countries. Then the walk writes the records of new subjects
      // later, and a receiver costs nothing more to create. A change always writes: another process may have a list
      // already, and has recorded that it screened the old name against it.
      const isLater = !areChanged && index.names === 0;
      return index
        .screen(subjects)
        .map((hits, at) =>
          isLater && hits.length === 0
            ? undefined
            : { subject: subjects[at] as Subject, setId, hits },
        );
    },
    hold,
  };
}

/** Undefined: there is no set. */
export async function loadSet(db: Db): Promise<LoadedSet | undefined> {
  const setId = await currentSetId(db);
  if (setId === 0) return undefined;
  return { setId, index: await buildScreeningIndex(await loadEntries(db, setId)) };
}

/** Screens a subject that this transaction wrote, and holds the payouts of its receiver where a hit was opened. */
export async function screenAndWrite(
  tx: Tx,
  { screen, hold }: Screener,
  subject: Subject,
  { atMs, isChanged }: { atMs: number; isChanged: boolean },
): Promise<void> {
  const [screened] = screen([subject], isChanged);
  if (!screened) return;
  const [first] = await writeScreening(tx, screened, atMs);
  if (!first) return;
  const { subaccountId, receiverId } = subject;
  await hold(tx, { subaccountId, receiverId }, { id: first.id, atMs });
}

export type RunningScreener = Screener & {
  /** The set in memory. */
  readonly loaded: LoadedSet | undefined;
  /** Called after each load of a newer set. */
  onLoad(listener: () => void): void;
  close(): Promise<void>;
};

type ScreenerParts = {
  db: Db;
  log: {
    info(context: object, message: string): void;
    warn(context: object, message: string): void;
  };
  hold: HoldPayouts;
};

/** Resolves when the current set is in memory. Newer sets are loaded when they are announced, and by polling. */
export async function startScreener({ db, log, hold }: ScreenerParts): Promise<RunningScreener> {
  let loaded = await loadSet(db);
  const listeners: (() => void)[] = [];
  const poller = startPoller({
    everyMs: limits.screeningPollMs,
    onError: (error) => log.warn({ err: error }, "screening: will load the lists again"),
    async poll() {
      if ((await currentSetId(db)) === (loaded?.setId ?? 0)) return;
      loaded = await loadSet(db);
      log.info({ set: loaded?.setId, names: loaded?.index.names }, "screening: lists are loaded");
      for (const listener of listeners) listener();
    },
  });
  const notifications = listenTo(db, screeningSetChannel, poller.wake);
  return {
    ...screenerOf(() => loaded, hold),
    get loaded() {
      return loaded;
    },
    onLoad: (listener) => void listeners.push(listener),
    async close() {
      await notifications.close();
      await poller.close();
    },
  };
}
