// The tables of docs/operate/tried.md, from the stored results of campaigns and benchmarks. What has no result has an empty row.

import { bankFormats } from "../../src/banking/connections/formats/formats.ts";

/** What people tried at banks: prove/results/at-banks.json. */
type AtBank = { bank: string; format: string; how: string; date: string };

export type TriedResults = {
  atBanks: AtBank[];
  /** By the name of the file in prove/results. */
  campaigns: Record<
    string,
    { date: string; postgresql?: string; counts?: Record<string, Record<string, number>> }
  >;
  material: { date: string; rows: { format: string }[] };
  latest: { measures: Measured[] };
  compared: {
    machine: { date: string; cpu: string; platform: string; node: string; postgresql: string };
    results: { name: string; rounds: { now: { serviceUs: number; databaseUs: number } }[] }[];
  };
};
type Measured = {
  title: string;
  processor: string;
  date: string;
  figures: { variant: string; serviceUs?: number; postgresUs?: number }[];
};

/** Whose files a format is for. */
const banksOf: readonly (readonly [format: RegExp, banks: readonly string[]])[] = [
  [/^aba$/, ["banks in Australia"]],
  [/^nz-anz/, ["ANZ, New Zealand"]],
  [/^nz-bnz$/, ["BNZ, New Zealand", "Kiwibank, New Zealand"]],
  [/^nz-asb$/, ["ASB, New Zealand"]],
  [/^nz-westpac$/, ["Westpac, New Zealand"]],
  [/^nacha$/, ["banks in the United States"]],
  [/-aud$/, ["Westpac and others, Australia"]],
  [/-nzd$/, ["banks in New Zealand"]],
  [/-eur$/, ["banks in the euro area"]],
  [/-gbp-/, ["banks in the United Kingdom"]],
];

export function bankRows({ atBanks, campaigns }: TriedResults): string {
  const { date = "", counts = {} } = campaigns["bank-files"] ?? {};
  const written = Object.keys(counts.payouts ?? {});
  const rows = [...bankFormats.keys()].flatMap((format) => {
    const [, banks] = banksOf.find(([pattern]) => pattern.test(format)) ?? [];
    if (!banks) throw new Error(`tried-page.ts does not say whose format ${format} is`);
    // The campaign names currencies with a space. Of the two clearings of pounds it tries Faster Payments.
    const plain = format.replace(
      /-(aud|nzd|eur|gbp)(-faster)?$/,
      (_, currency) => ` ${currency.toUpperCase()}`,
    );
    const isWritten = written.some((name) => name.split(",")[0] === plain);
    const here = isWritten ? `written, and read by our simulator, ${date}` : "";
    return banks.map((bank) => {
      const tried = atBanks.find((one) => one.bank === bank && one.format === format);
      return `| ${bank} | \`${format}\` | ${tried?.how ?? ""} | ${tried?.date ?? ""} | ${here} |`;
    });
  });
  const head = "| bank | format | how, at the bank | when | without the bank |";
  return [head, "|---|---|---|---|---|", ...rows].join("\n");
}

export function readRows({ material }: TriedResults): string {
  const byFormat = [...Map.groupBy(material.rows, ({ format }) => format)];
  const rows = byFormat.map(
    ([format, files]) => `| \`${format}\` | ${files.length} | ${material.date} |`,
  );
  return ["| format | files | when |", "|---|---:|---|", ...rows].join("\n");
}

/** What people ask about; a row stays empty until a result names it. */
const systems = ["Linux on arm64", "Linux on x64", "macOS on arm64", "macOS on x64", "Windows"];
const databases = ["15", "16", "17", "18"];

export function platformRows(results: TriedResults): string {
  const { campaigns, latest, compared } = results;
  const benches = latest.measures.map(({ processor, date }) => ({ processor, date }));
  benches.push({
    processor: `${compared.machine.cpu}, ${compared.machine.platform}`,
    date: compared.machine.date,
  });
  const row = (kind: string, name: string, what: readonly string[], dates: readonly string[]) =>
    `| ${kind} | ${name} | ${[...new Set(what)].join("; ")} | ${[...dates].sort().at(-1) ?? ""} |`;
  const rows = systems.map((name) => {
    const [system = "", architecture = ""] = name.toLowerCase().split(" on ");
    const found = benches.filter(({ processor }) =>
      processor.endsWith(`, ${system} ${architecture}`),
    );
    const cpus = found.map(
      ({ processor }) => processor.split(",")[0]?.replace(/\(R\)| Processor| CPU/g, "") ?? "",
    );
    return row(
      "system",
      name,
      cpus,
      found.map(({ date }) => date),
    );
  });
  for (const name of databases) {
    const found = Object.entries(campaigns).filter(
      ([, { postgresql = "" }]) => postgresql.split(".")[0] === name,
    );
    const versions = found.map(([, { postgresql = "" }]) => postgresql);
    const what = found.length > 0 ? [`campaigns: ${found.length}`, ...versions] : [];
    rows.push(
      row(
        "PostgreSQL",
        name,
        what,
        found.map(([, { date }]) => date),
      ),
    );
  }
  return ["| | | with | last |", "|---|---|---|---|", ...rows].join("\n");
}

/** The names of an operation in the two benchmarks. */
const operations = [
  ["signed read of a receiver", "Receiver by id", "batched", "receiver-by-id"],
  ["create a receiver, committed", "Create receiver", "batched", "create-receiver"],
  ["create a payout, committed", "Create payout", "one subaccount, batched", "payout"],
  ["deliver an event", "Delivery", "Disburse", "delivery"],
] as const;

export function processorRows({ latest, compared }: TriedResults): string {
  const { cpu, platform, date } = compared.machine;
  const rows = operations.flatMap(([operation, title, variant, name]) => {
    const measured = latest.measures.find((one) => one.title === title);
    const figure = measured?.figures.find((one) => one.variant === variant);
    const rounds = compared.results.find((one) => one.name === name)?.rounds ?? [];
    const other = {
      serviceUs: median(rounds.map(({ now }) => now.serviceUs)),
      postgresUs: median(rounds.map(({ now }) => now.databaseUs)),
    };
    return [
      speedRow(operation, figure ?? {}, measured?.processor ?? "", measured?.date ?? ""),
      speedRow("", other, `${cpu.replaceAll("(R)", "")}, ${platform}`, date),
    ];
  });
  const head = "| operation | service, µs | database, µs | processor | when |";
  return [head, "|---|---:|---:|---|---|", ...rows].join("\n");
}

type Times = { serviceUs?: number | undefined; postgresUs?: number | undefined };

function speedRow(
  operation: string,
  { serviceUs, postgresUs }: Times,
  processor: string,
  date: string,
) {
  const shown = [serviceUs, postgresUs].map((us) => (us === undefined ? "" : Math.round(us)));
  return `| ${operation} | ${shown.join(" | ")} | ${processor} | ${date} |`;
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

/** The page with all of its tables. `read` reads a file of the repository. */
export function withTriedTables(
  page: string,
  results: TriedResults,
  withPart: (page: string, name: string, part: string) => string,
): string {
  const parts = {
    banks: bankRows(results),
    "files of others": readRows(results),
    platforms: platformRows(results),
    "processor times": processorRows(results),
  };
  return Object.entries(parts).reduce((text, [name, part]) => withPart(text, name, part), page);
}

export function triedResults(
  names: readonly string[],
  read: (file: string) => string,
): TriedResults {
  const json = (file: string) => JSON.parse(read(file));
  const campaigns = names
    .filter((name) => /^prove\/results\/[\w-]+\.json$/.test(name) && !/at-banks/.test(name))
    .map((name) => [name.slice("prove/results/".length, -".json".length), json(name)]);
  return {
    atBanks: json("prove/results/at-banks.json"),
    campaigns: Object.fromEntries(campaigns),
    material: json("prove/results/material.json"),
    latest: json("bench/results/latest.json"),
    compared: json("bench/results/compared.json"),
  };
}
