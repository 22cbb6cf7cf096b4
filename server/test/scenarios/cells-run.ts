// Two cells behind HAProxy under load, while the service or the database of one of them is killed, over and over.

import { setTimeout as sleep } from "node:timers/promises";
import { ConnectionError, type DisburseError } from "../../../client/src/index.ts";
import { newId } from "../../src/platform/base/ids.ts";
import { type Cell, type CellPart, cellParts, startCells } from "../support/cells.ts";
import { checkDeliveries, complaints, type DeliveryCheck } from "../support/delivery-check.ts";
import {
  committedEvents,
  newPayer,
  type Payer,
  payoutIds,
  payUntilMade,
  untilDrained,
} from "../support/payers.ts";
import { startSink } from "../support/sink.ts";
import { drawOf } from "./seeded-draw.ts";

type CellKills = { kills: number; seed: number; onKill?: (done: number) => void };

type CellKillsSeen = {
  kills: Record<CellPart, number>;
  /** Payouts that were acknowledged, in both cells. */
  acknowledged: number;
  /** Errors of a cell that was not killed. */
  errorsBesideOutage: number;
  /** Responses of 503 with Retry-After, from the cell that was killed. */
  unavailable: number;
  /** Connections that were cut off within a request to the killed cell. HAProxy does so where it reused its own connection. */
  cut: number;
  /** Milliseconds of each payout in one cell while the other was down, and while none was. */
  besideOutageMs: number[];
  usualMs: number[];
  /** Milliseconds from a kill until every caller of the cell has made a payout again. */
  backMs: number[];
  events: DeliveryCheck;
  complaints: string[];
};

const callersOfCell = 4;
const drainMs = 90_000;

export async function killCells({
  kills,
  seed,
  onKill = () => {},
}: CellKills): Promise<CellKillsSeen> {
  const draw = drawOf(seed);
  const sink = await startSink();
  // The port may have belonged to an endpoint of another test, whose service still sends events to it.
  const path = `/${newId()}`;
  const cells = await startCells({ LOG_LEVEL: "fatal" });
  const said: string[] = [];
  let errorsBesideOutage = 0;
  const made: { cell: Cell; id: string; ms: number; killed: Cell | undefined }[] = [];
  const madeBy = new Map<Cell, number[]>();
  let unavailable = 0;
  let cut = 0;
  let killed: Cell | undefined;
  let isOver = false;

  async function call(cell: Cell, payer: Payer, first: number): Promise<void> {
    for (let payee = first; !isOver; payee += callersOfCell) {
      const [startMs, killedAtStart] = [performance.now(), killed];
      const onTrouble = async (error: DisburseError) => {
        const { status, code, retryAfterMs, message } = error;
        const answer = `${status} ${code}: ${message}`;
        if (killed !== cell) {
          errorsBesideOutage += 1;
          said.push(`the cell that was not killed answered ${answer}`);
        } else if (status === 503 && retryAfterMs !== null) unavailable += 1;
        else if (error instanceof ConnectionError) cut += 1;
        else said.push(`the killed cell answered ${answer}`);
        await sleep(20 + Math.random() * 50);
      };
      const id = await payUntilMade(payer, payee, () => cells.edge.baseUrl, onTrouble);
      const ms = Math.round(performance.now() - startMs);
      made.push({ cell, id, ms, killed: killedAtStart ?? killed });
      const counts = madeBy.get(cell) as number[];
      counts[first] = (counts[first] ?? 0) + 1;
      await sleep(Math.random() * 20);
    }
  }

  /** Every caller of the cell has made a payout that it began after now, and the edge considers the cell up. */
  async function untilServing(cell: Cell): Promise<void> {
    const counts = madeBy.get(cell) as number[];
    const before = [...counts];
    while (counts.some((count, caller) => count < (before[caller] as number) + 2)) await sleep(10);
    while (!(await cells.edge.isUp(backendOf(cell)))) await sleep(50);
  }

  try {
    const both = [cells.byDefault, cells.b];
    const killedParts: CellPart[] = [];
    const backMs: number[] = [];
    const calling: Promise<unknown>[] = [];
    const payers: Payer[] = [];
    for (const cell of both) {
      const parts = { db: cell.db, seal: cell.seal, baseUrl: cells.edge.baseUrl };
      const payer = await newPayer(parts, sink.url(`${path}/${cell.name}`));
      payers.push(payer);
      madeBy.set(cell, new Array(callersOfCell).fill(0));
      for (let index = 0; index < callersOfCell; index += 1) calling.push(call(cell, payer, index));
    }
    for (let done = 1; done <= kills; done += 1) {
      await Promise.all(both.map(untilServing));
      const [cell, part] = [draw.pick(both), cellParts[done % cellParts.length] as CellPart];
      await sleep(draw.number() * 300);
      killed = cell;
      const killedMs = performance.now();
      await cell.restart(part);
      await untilServing(cell);
      backMs.push(Math.round(performance.now() - killedMs));
      killed = undefined;
      killedParts.push(part);
      onKill(done);
    }
    isOver = true;
    await Promise.all(calling);
    for (const { db } of both) await untilDrained(db, payers, drainMs);

    for (const { db, name } of both) {
      const stored = await payoutIds(db);
      const acknowledged = made.filter(({ cell }) => cell.name === name);
      const lost = acknowledged.filter(({ id }) => !stored.has(id));
      if (lost.length > 0) said.push(`${lost.length} acknowledged payouts are lost`);
      // Each was acknowledged in the end, so any other row is a second payout.
      const doubled = stored.size - acknowledged.length;
      if (doubled > 0) said.push(`${doubled} payouts were made twice`);
    }
    const committed = (await Promise.all(both.map(({ db }) => committedEvents(db)))).flat();
    const events = checkDeliveries(
      committed,
      sink.received.filter((one) => one.path.startsWith(path)),
    );
    const msOf = (some: typeof made) => some.map(({ ms }) => ms);
    const beside = made.filter(({ cell, killed }) => killed && killed !== cell);
    return {
      kills: {
        service: killedParts.filter((part) => part === "service").length,
        database: killedParts.filter((part) => part === "database").length,
      },
      ...{ acknowledged: made.length, errorsBesideOutage, unavailable, cut, backMs, events },
      besideOutageMs: msOf(beside),
      usualMs: msOf(made.filter(({ killed }) => !killed)),
      complaints: [...new Set([...said, ...complaints(events)])],
    };
  } finally {
    isOver = true;
    await cells.close();
    await sink.close();
  }
}

function backendOf({ name }: Cell): string {
  return name === "" ? "default_cell" : `cell_${name}`;
}
