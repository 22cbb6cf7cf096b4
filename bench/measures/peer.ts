// Disburse against the same operations as a team would write them with a common framework and a common mapper: NestJS
// and Prisma, in bench/peers. Requests, receivers, payers and endpoints are the same for both.

import { creating } from "../creating.ts";
import { deliverAll } from "../delivery-round.ts";
import { runLoad } from "../load.ts";
import { connectionsUnderLoad, type Measure, type Measured } from "../measure.ts";
import { addPayee, addPayers, type Payer } from "../payees.ts";
import { paying } from "../paying.ts";
import { buildPeer } from "../peers/build.ts";
import { checkPeerBooks, checkPeerDelivery } from "../peers/check-books.ts";
import {
  comparePayoutCreations,
  compareReads,
  compareReceiverCreations,
} from "../peers/compare-answers.ts";
import {
  addPeerPayers,
  copyReceivers,
  createPeerDatabase,
  setPeerEndpoints,
} from "../peers/database.ts";
import { addReceivers, sampleIds } from "../receivers.ts";
import { requestBuilder } from "../requests.ts";
import { atLeast } from "../requirement.ts";
import { type Figure, interleave, type Variant } from "../rounds.ts";
import type { Server } from "../server-process.ts";
import { timed } from "../service-times.ts";
import { addEndpoints, sampleBody } from "../waiting-events.ts";

const requestsRepeated = 4_096;
const comparedIds = 20;
const endpointsCount = 100;
const requiredRatio = 4;

type Bench = Parameters<Measure>[0];
type Side = "Disburse" | "NestJS and Prisma";
type Figures = Record<Side, Figure>;
type Run = Variant<Side>["run"];

/** One of the operations. */
type Compared = { operation: string; figures: Figures };

const sides = ["Disburse", "NestJS and Prisma"] as const;

export const measurePeer: Measure = async (bench) => {
  buildPeer();
  const all: Compared[] = [];
  for (const compare of [
    compareReceiverById,
    compareCreateReceiver,
    comparePayout,
    compareDelivery,
  ]) {
    all.push(...(await compare(bench)));
  }
  return toMeasured(all);
};

async function compareReceiverById(bench: Bench): Promise<Compared[]> {
  const { postgres, servers, scale } = bench;
  const database = await postgres.createDatabase("peer_read_disburse");
  const { caller } = database;
  await addReceivers(database, scale.receiversFew);
  const peerDatabase = await createPeerDatabase(postgres, "peer_read", [caller]);
  await copyReceivers(database, peerDatabase);
  const ids = await sampleIds(database, requestsRepeated);
  const disburse = await servers.disburse(database);
  const peer = await servers.peer(peerDatabase);
  const ports = { disburse: disburse.port, peer: peer.port };
  await compareReads(ports, caller, ids.slice(0, comparedIds));

  const reading = ({ port }: Server) => {
    return (durationMs: number) => {
      const build = requestBuilder(caller, 1);
      const requests = ids.map((id) => build({ method: "GET", path: `/api/receiver/${id}` }));
      const connections = connectionsUnderLoad;
      return runLoad({ port, connections, durationMs, requests, repeat: true });
    };
  };
  const compared = await underLoad("receiver by id", [disburse, peer], reading, bench);
  await Promise.all([disburse.stop(), peer.stop()]);
  return [compared];
}

async function compareCreateReceiver(bench: Bench): Promise<Compared[]> {
  const { postgres, servers } = bench;
  const database = await postgres.createDatabase("peer_create_disburse");
  const peerDatabase = await createPeerDatabase(postgres, "peer_create", [database.caller]);
  const disburse = await servers.disburse(database);
  const peer = await servers.peer(peerDatabase);
  const ports = { disburse: disburse.port, peer: peer.port };
  await compareReceiverCreations(ports, database.caller);

  const load = ({ port }: Server) => creating({ port, database });
  const compared = await underLoad("create receiver", [disburse, peer], load, bench);
  await Promise.all([disburse.stop(), peer.stop()]);
  return [compared];
}

async function comparePayout(bench: Bench): Promise<Compared[]> {
  const { postgres, servers, scale } = bench;
  const database = await postgres.createDatabase("peer_payout_disburse");
  const one = await addPayee(database, database.caller);
  const many = await addPayers(database, scale.subaccountsMany);
  const payers = [one, ...many];
  const callers = payers.map(({ caller }) => caller);
  const peerDatabase = await createPeerDatabase(postgres, "peer_payout", callers);
  await copyReceivers(database, peerDatabase);
  await addPeerPayers(peerDatabase, payers);
  const disburse = await servers.disburse(database);
  const peer = await servers.peer(peerDatabase);
  const ports = { disburse: disburse.port, peer: peer.port };
  await comparePayoutCreations(ports, one);

  const loadOf =
    (payers: readonly Payer[]) =>
    ({ port }: Server) =>
      paying({ port, payers });
  const servedBy = [disburse, peer] as const;
  const compared = [
    await underLoad("payout, one subaccount", servedBy, loadOf([one]), bench),
    await underLoad(`payout, ${many.length} subaccounts`, servedBy, loadOf(many), bench),
  ];
  await checkPeerBooks(peerDatabase);
  await Promise.all([disburse.stop(), peer.stop()]);
  return compared;
}

async function compareDelivery({ postgres, servers, scale }: Bench): Promise<Compared[]> {
  const sink = await servers.sink();
  const origin = `http://127.0.0.1:${sink.port}`;
  const database = await postgres.createDatabase("peer_delivery_disburse");
  const endpoints = await addEndpoints(database, { origin, count: endpointsCount });
  const peerDatabase = await createPeerDatabase(postgres, "peer_delivery", []);
  const setup = {
    masterKeyBase64: database.masterKey.toString("base64"),
    origin,
    endpoints,
    body: sampleBody(database.caller.subaccountId),
  };
  const disburse = servers.deliverer("disburse", { ...setup, connection: database.connection });
  const peer = servers.deliverer("peer", { ...setup, connection: peerDatabase.connection });
  await checkPeerDelivery(peer, peerDatabase, endpoints);
  await setPeerEndpoints(peerDatabase, { origin, endpoints });

  const delivering = (
    name: Side,
    delivery: Omit<Parameters<typeof deliverAll>[0], "sink" | "count">,
  ) =>
    variant(name, async () => {
      const round = await deliverAll({ ...delivery, sink, count: scale.deliveries });
      return { perSecond: round.perSecond, serviceUs: round.serviceUs };
    });
  const ours = { worker: disburse, db: database.db, remains: "select from delivery limit 1" };
  const theirs = {
    worker: peer,
    db: peerDatabase.db,
    remains: "select from outbox_event where delivered_at is null limit 1",
  };
  const variants = [delivering("Disburse", ours), delivering("NestJS and Prisma", theirs)];
  const figures = await interleave<Side>(variants, scale);
  await Promise.all([sink.stop(), disburse.stop(), peer.stop()]);
  return [{ operation: "delivery", figures }];
}

type LoadOf = (server: Server) => (durationMs: number) => ReturnType<typeof runLoad>;

async function underLoad(
  operation: string,
  servers: readonly [Server, Server],
  loadOf: LoadOf,
  { postgres, scale }: Bench,
): Promise<Compared> {
  const variants = sides.map((name, index) => {
    const server = servers[index] as Server;
    return variant(name, timed({ service: server.pid, postgres: postgres.pid }, loadOf(server)));
  });
  const figures = await interleave<Side>(variants, scale);
  return { operation, figures };
}

function variant(name: Side, run: Run): Variant<Side> {
  return { name, run };
}

function toMeasured(all: readonly Compared[]): Measured {
  return {
    title: "A peer in NestJS and Prisma",
    how:
      `${connectionsUnderLoad} connections, signed, synchronous_commit on; the same requests to both. Delivery: ` +
      `waiting events for ${endpointsCount} endpoints, from the start until the last is recorded as delivered`,
    figures: all.flatMap(({ operation, figures }) =>
      sides.map((side) => ({ ...figures[side], variant: `${operation}, ${side}` })),
    ),
    requirements: all.map(({ operation, figures }) => {
      const [ours, theirs] = sides.map((side) => figures[side].perSecond) as [number, number];
      return atLeast(`${operation}: Disburse / NestJS and Prisma`, ours / theirs, requiredRatio);
    }),
    notes: ["bench/peers/README.md says what the peer does and what it leaves out."],
  };
}
