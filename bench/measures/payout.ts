// Create payout under load, each response after its commit: on one shared subaccount, and on a thousand. Against one
// transaction per request, and against pgbench with the same transaction.

import { connectionsUnderLoad, type Measure } from "../measure.ts";
import { addPayee, addPayers, type Payer } from "../payees.ts";
import { paying } from "../paying.ts";
import { findPgbench, pgbenchPaying } from "../pgbench.ts";
import { above, atLeast, type Requirement } from "../requirement.ts";
import { interleave, type Variant } from "../rounds.ts";
import type { Server } from "../server-process.ts";
import { timed } from "../service-times.ts";

type Name =
  | "one subaccount, batched"
  | "one subaccount, one transaction per request"
  | "one subaccount, pgbench"
  | "many subaccounts, batched"
  | "many subaccounts, one transaction per request";

export const measurePayout: Measure = async ({ postgres, servers, scale }) => {
  const [batchedDatabase, unbatchedDatabase, pgbenchDatabase] = [
    await postgres.createDatabase("payout_batched"),
    await postgres.createDatabase("payout_unbatched"),
    await postgres.createDatabase("payout_pgbench"),
  ];
  const hot = await addPayee(batchedDatabase, batchedDatabase.caller);
  const hotUnbatched = await addPayee(unbatchedDatabase, unbatchedDatabase.caller);
  const hotPgbench = await addPayee(pgbenchDatabase, pgbenchDatabase.caller);
  const many = await addPayers(batchedDatabase, scale.subaccountsMany);
  const manyUnbatched = await addPayers(unbatchedDatabase, scale.subaccountsMany);
  const batched = await servers.disburse(batchedDatabase);
  const unbatched = await servers.disburse(unbatchedDatabase, "off");

  const load = ({ port, pid: service }: Server, payers: readonly Payer[]) =>
    timed({ service, postgres: postgres.pid }, paying({ port, payers }));
  const variants: Variant<Name>[] = [
    { name: "one subaccount, batched", run: load(batched, [hot]) },
    {
      name: "one subaccount, one transaction per request",
      run: load(unbatched, [hotUnbatched]),
    },
    { name: "many subaccounts, batched", run: load(batched, many) },
    {
      name: "many subaccounts, one transaction per request",
      run: load(unbatched, manyUnbatched),
    },
  ];
  const pgbench = findPgbench();
  if (pgbench) {
    const run = pgbenchPaying(pgbench, pgbenchDatabase, postgres, hotPgbench);
    variants.push({
      name: "one subaccount, pgbench",
      run: timed({ postgres: postgres.pid }, run),
    });
  }
  const figures = await interleave(variants, scale);
  await Promise.all([batched.stop(), unbatched.stop()]);

  const ratio = (over: Name, under: Name) => figures[over].perSecond / figures[under].perSecond;
  const requirements: Requirement[] = [
    atLeast(
      "payout, one subaccount: batched / one transaction per request",
      ratio("one subaccount, batched", "one subaccount, one transaction per request"),
      3,
    ),
    atLeast(
      `payout, ${scale.subaccountsMany} subaccounts: batched / one transaction per request`,
      ratio("many subaccounts, batched", "many subaccounts, one transaction per request"),
      2,
    ),
  ];
  if (pgbench) {
    const text = "payout, one subaccount: batched / pgbench";
    requirements.push(above(text, ratio("one subaccount, batched", "one subaccount, pgbench"), 1));
  }
  return {
    title: "Create payout",
    how: `${connectionsUnderLoad} connections, signed, synchronous_commit on; ${scale.subaccountsMany} subaccounts are many`,
    figures: Object.values(figures),
    requirements,
    notes: pgbench ? [] : ["no pgbench here"],
  };
};
