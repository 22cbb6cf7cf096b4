// `disburse receivers import`: from a CSV file to committed receivers, against creating them over HTTP.

import { creating } from "../creating.ts";
import { importReceivers } from "../import-receivers.ts";
import { connectionsUnderLoad, type Measure } from "../measure.ts";
import { atLeast } from "../requirement.ts";
import { interleave, type Variant } from "../rounds.ts";

type Name = "created over HTTP" | "imported";

export const measureImport: Measure = async ({ postgres, servers, scale }) => {
  const createDatabase = await postgres.createDatabase("import_created");
  const importDatabase = await postgres.createDatabase("import_imported");
  const server = await servers.disburse(createDatabase);
  const importing = async () => {
    const tookMs = await importReceivers(postgres, importDatabase, scale.importRows);
    return { perSecond: (scale.importRows * 1000) / tookMs };
  };
  const variants: Variant<Name>[] = [
    { name: "created over HTTP", run: creating({ port: server.port, database: createDatabase }) },
    { name: "imported", run: importing },
  ];
  const figures = await interleave(variants, { ...scale, rounds: scale.importRounds });
  await server.stop();
  return {
    title: "Import of receivers",
    how:
      `${scale.importRows} rows a file, from the start of the process to its end, both passes over the ` +
      `file included; over HTTP ${connectionsUnderLoad} connections, signed`,
    figures: Object.values(figures),
    requirements: [
      atLeast(
        "import: rows a second / created over HTTP",
        figures.imported.perSecond / figures["created over HTTP"].perSecond,
        0.5,
      ),
    ],
    notes: [],
  };
};
