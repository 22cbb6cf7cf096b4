// A busy subaccount moves back and forth between two cells, while clients pay and a webhook endpoint receives events.

import { setTimeout as sleep } from "node:timers/promises";
import type { DisburseError } from "../../../client/src/index.ts";
import { moveSubaccount } from "../../src/doors/moves/run.ts";
import { verifyLedger } from "../../src/money/ledger/verify.ts";
import { checkDeliveries, complaints, type DeliveryCheck } from "../support/delivery-check.ts";
import {
  committedEvents,
  newPayer,
  payoutIds,
  payUntilMade,
  untilDrained,
} from "../support/payers.ts";
import { startSink } from "../support/sink.ts";
import { type Cell, moveParts, purge, remainsOf, startTwoCells } from "../support/two-cells.ts";
import { contradictions } from "./payouts-books.ts";

type Moves = {
  moves: number;
  callers: number;
  /** The longest pause of a caller between two payouts. */
  callerPauseMs: number;
  masterKey: Buffer;
  onMove?: (done: number) => void;
};

type MovesSeen = DeliveryCheck & {
  acknowledged: number;
  /** The number of responses with Retry-After. */
  unavailable: number;
  /** For each move: milliseconds from the freeze until the target worked, by the databases. */
  pauseMs: number[];
  /** The longest time between two acknowledged payouts around each move, as the clients saw it. */
  clientPauseMs: number[];
  rowsMax: number;
  complaints: string[];
};

const path = "/moves";
const drainMs = 90_000;
/** Between two payouts of the other subaccounts, which must not notice the moves. */
const neighbourPauseMs = 50;

export async function runMoves(options: Moves): Promise<MovesSeen> {
  const { moves, callers, callerPauseMs, masterKey, onMove = () => {} } = options;
  const cells = await startTwoCells(masterKey);
  const sink = await startSink((_received, response) => {
    setTimeout(() => response.writeHead(204).end(), Math.random() * 10);
  });
  let [here, there]: [Cell, Cell] = [cells.a, cells.b];
  /** Where the edge leads the subaccount. */
  let edge = here;
  const said: string[] = [];
  const paid: { id: string; atMs: number }[] = [];
  let unavailable = 0;
  let isOver = false;
  let neighbourFailures = 0;

  async function onTrouble({ status, code, retryAfterMs, message }: DisburseError): Promise<void> {
    if (status === 503 && retryAfterMs !== null) unavailable += 1;
    else said.push(`a client got ${status} ${code}: ${message}`);
    await sleep(10 + Math.random() * 20);
  }

  try {
    const payer = await newPayer(here, sink.url(path));
    const neighbours = await Promise.all(
      [cells.a, cells.b].map(async (cell) => ({
        cell,
        payer: await newPayer(cell, sink.url("/beside")),
      })),
    );
    const { subaccountId } = payer;
    const call = async (index: number) => {
      for (let payee = index; !isOver; payee += 1) {
        const id = await payUntilMade(payer, payee, () => edge.baseUrl, onTrouble);
        paid.push({ id, atMs: Date.now() });
        await sleep(Math.random() * callerPauseMs);
      }
    };
    const callBeside = async (cell: Cell, neighbour: typeof payer) => {
      for (let payee = 0; !isOver; payee += 1) {
        await payUntilMade(
          neighbour,
          payee,
          () => cell.baseUrl,
          async () => {
            neighbourFailures += 1;
          },
        );
        await sleep(neighbourPauseMs);
      }
    };
    const calling = Promise.all([
      ...Array.from({ length: callers }, (_, index) => call(index)),
      ...neighbours.map((one) => callBeside(one.cell, one.payer)),
    ]);
    const pauseMs: number[] = [];
    const clientPauseMs: number[] = [];
    let rowsMax = 0;
    for (let done = 1; done <= moves; done += 1) {
      const [before, receivedBefore] = [paid.length, sink.received.length];
      while (paid.length < before + callers || sink.received.length < receivedBefore + callers) {
        await sleep(10);
      }
      const startMs = Date.now();
      const parts = moveParts(cells, { from: here, to: there }, subaccountId);
      const moved = await moveSubaccount(parts, {
        onSwitched: async () => {
          edge = there;
        },
      });
      [here, there] = [there, here];
      pauseMs.push(moved.pauseMs ?? Number.POSITIVE_INFINITY);
      rowsMax = Math.max(rowsMax, Number(moved.rows));
      const afterMs = Date.now();
      while ((paid.at(-1)?.atMs ?? 0) < afterMs) await sleep(10);
      clientPauseMs.push(longestGap(paid, startMs));
      await purge(there, subaccountId);
      onMove(done);
    }
    isOver = true;
    await calling;
    const { db } = here;
    await untilDrained(db, [payer, ...neighbours.map((one) => one.payer)], drainMs);
    const stored = await payoutIds(db);
    const lost = paid.filter(({ id }) => !stored.has(id));
    if (lost.length > 0) said.push(`${lost.length} acknowledged payouts are lost`);
    const { rows } = await db.pool.query<{ count: string }>(
      "select count(*) from payout where subaccount_id = $1",
      [subaccountId],
    );
    const doubled = Number(rows[0]?.count) - paid.length;
    if (doubled !== 0) said.push(`${doubled} payouts more than were acknowledged`);
    for (const wrong of await contradictions(db)) said.push(JSON.stringify(wrong));
    for (const cell of [cells.a, cells.b]) {
      const { differences } = await verifyLedger(cell.db);
      for (const { what } of differences) said.push(`the books of ${cell.name}: ${what}`);
      for (const left of await remainsOf(cell, subaccountId))
        said.push(`${cell.name} still has ${left}`);
    }
    if (neighbourFailures > 0) said.push(`${neighbourFailures} failures of other subaccounts`);
    const ours = new Set((await eventIdsOf(here, subaccountId)).map(({ id }) => id));
    const committed = (await committedEvents(db)).filter(({ id }) => ours.has(id));
    const checked = checkDeliveries(
      committed,
      sink.received.filter((one) => one.path === path),
    );
    if (checked.repeats > 0) said.push(`${checked.repeats} events were received again`);
    return {
      ...checked,
      ...{ acknowledged: paid.length, unavailable, pauseMs, clientPauseMs, rowsMax },
      complaints: [...new Set([...said, ...complaints(checked)])],
    };
  } finally {
    isOver = true;
    await sink.close();
    await cells.close();
  }
}

async function eventIdsOf({ db }: Cell, subaccountId: string): Promise<{ id: string }[]> {
  const text = "select id from event where subaccount_id = $1";
  return (await db.pool.query<{ id: string }>(text, [subaccountId])).rows;
}

function longestGap(paid: readonly { atMs: number }[], sinceMs: number): number {
  const times = paid.map(({ atMs }) => atMs).filter((atMs) => atMs >= sinceMs - 1_000);
  return Math.max(0, ...times.slice(1).map((atMs, index) => atMs - (times[index] ?? atMs)));
}
