// npm run bench: measures the promised speeds, prints them, and writes them to results/.
//
//   --quick         a smoke run: two short rounds, a small set, ratios only cause warnings, and no result is kept
//   --only <names>  some of receiver-by-id, create-receiver, import, screening, names, payout, payout-growth, rules, thresholds, bank-freeze,
//                   bank-returns, statements, delivery, delivery-claim, alone, growth, request-log, console-overview,
//                   console-lists, console-search, peer, processes; the others keep their results

import { type Postgres, startPostgres } from "./database.ts";
import type { Measure, Measured } from "./measure.ts";
import { measureAlone } from "./measures/alone.ts";
import { measureBankFreeze } from "./measures/bank-freeze.ts";
import { measureBankReturns } from "./measures/bank-returns.ts";
import { measureConsoleLists, measureConsoleSearch } from "./measures/console-lists.ts";
import { measureConsoleOverview } from "./measures/console-overview.ts";
import { measureCreateReceiver } from "./measures/create-receiver.ts";
import { measureDelivery } from "./measures/delivery.ts";
import { measureDeliveryClaim } from "./measures/delivery-claim.ts";
import { measureGrowth } from "./measures/growth.ts";
import { measureImport } from "./measures/import.ts";
import { measureNames } from "./measures/names.ts";
import { measurePayout } from "./measures/payout.ts";
import { measurePayoutGrowth } from "./measures/payout-growth.ts";
import { measurePeer } from "./measures/peer.ts";
import { measureProcesses } from "./measures/processes.ts";
import { measureReceiverById } from "./measures/receiver-by-id.ts";
import { measureRequestLog } from "./measures/request-log.ts";
import { measureRules } from "./measures/rules.ts";
import { measureScreening } from "./measures/screening.ts";
import { measureStatements } from "./measures/statements.ts";
import { measureThresholds } from "./measures/thresholds.ts";
import { type MeasureName, type Options, readOptions } from "./options.ts";
import { say, sayDone } from "./progress.ts";
import { machineFacts, processorOf, type Report, requirementsOf, writeReport } from "./report.ts";
import { serversLoggingIn } from "./server-process.ts";

const measures: Record<MeasureName, Measure> = {
  "receiver-by-id": measureReceiverById,
  "create-receiver": measureCreateReceiver,
  import: measureImport,
  screening: measureScreening,
  payout: measurePayout,
  "payout-growth": measurePayoutGrowth,
  rules: measureRules,
  thresholds: measureThresholds,
  "bank-freeze": measureBankFreeze,
  "bank-returns": measureBankReturns,
  statements: measureStatements,
  names: measureNames,
  delivery: measureDelivery,
  "delivery-claim": measureDeliveryClaim,
  alone: measureAlone,
  growth: measureGrowth,
  "request-log": measureRequestLog,
  "console-overview": measureConsoleOverview,
  "console-lists": measureConsoleLists,
  "console-search": measureConsoleSearch,
  peer: measurePeer,
  processes: measureProcesses,
};

const options = readOptions(process.argv.slice(2));
say("starting the database");
const postgres = await startPostgres();
const servers = serversLoggingIn(postgres.folder);
let stopping: Promise<void> | undefined;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => void stopOnce().finally(() => process.exit(130)));
}

try {
  const report = await measureAll(options, postgres);
  sayDone();
  process.stdout.write(writeReport(report));
  const missed = requirementsOf(report).filter(({ holds }) => !holds);
  if (missed.length > 0) {
    process.stderr.write(`not reached: ${missed.map(({ text }) => text).join("; ")}\n`);
    if (!options.quick) process.exitCode = 1;
  }
} catch (error) {
  // Errors after the stop are caused by it.
  if (!stopping) throw error;
} finally {
  await stopOnce();
}

async function measureAll({ measures: names, quick, scale }: Options, postgres: Postgres) {
  const report: Report = { machine: machineFacts(postgres.version), quick, measures: [] };
  for (const name of names) {
    const measured: Measured = await measures[name]({ postgres, servers, scale });
    const when = { date: report.machine.date as string, processor: processorOf(report.machine) };
    report.measures.push({ ...measured, name, ...when });
  }
  return report;
}

function stopOnce(): Promise<void> {
  stopping ??= servers.stopAll().then(() => postgres.stop());
  return stopping;
}
