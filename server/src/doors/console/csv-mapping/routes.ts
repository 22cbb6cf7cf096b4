// /console/api/banks/connections/:id/csv-mapping: what the columns of a bank's CSV statements mean

import { saveMapping } from "../../../banking/connections/index.ts";
import type { Fields } from "../../../platform/fields/index.ts";
import { type Api, ById } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { actRoute } from "../act-route.ts";
import { idIn } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { findSavedMapping, presentMapping, tryMapping } from "./csv-mapping.ts";
import { CsvMappingOutcome, CsvMappingPreview, CsvSample, SavedCsvMapping } from "./schema.ts";

const path = "/console/api/banks/connections/:id/csv-mapping";

export function csvMappingRoutes(api: Api, parts: WriteParts): void {
  const writing = { may: "banks.write" } as const;

  api.get(
    path,
    { config: writing, schema: { params: ById, response: { 200: SavedCsvMapping } } },
    async ({ params }) => findSavedMapping(parts, idIn(params, "BANK102")),
  );

  api.post(
    `${path}/preview`,
    {
      bodyLimit: limits.batchBodyBytesMax,
      config: writing,
      schema: { params: ById, body: CsvSample, response: { 200: CsvMappingPreview } },
    },
    async ({ params, body: { content, mapping } }) =>
      tryMapping(parts, idIn(params, "BANK102"), {
        content,
        mapping: mapping as Fields | undefined,
      }),
  );

  actRoute(api, parts, `PUT ${path}`, saveMapping, {
    response: CsvMappingOutcome,
    answer: ({ saved, request_id }) => ({ ...presentMapping(saved), request_id }),
  });
}
