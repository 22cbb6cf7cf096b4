// /console/api/screening: sanctions lists, their versions, decisions about those that wait, and embargoed countries

import { allCountries, type ListName, listLimits } from "../../../people/list-files/index.ts";
import {
  approveList,
  declineList,
  embargoCountry,
  endEmbargo,
  type ImportOutcome,
  importList,
  listChanges,
  listVersionsBefore,
} from "../../../people/sanctions-lists/index.ts";
import { newestId } from "../../../platform/base/index.ts";
import { type Api, ById } from "../../../platform/http/index.ts";
import { actRoute } from "../act-route.ts";
import { listRoute } from "../list-route.ts";
import { type ConsoleAccess, idIn } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { readKeyCursor, writeKeyCursor } from "./key-cursor.ts";
import { readLists, readVersion, requireVersion } from "./lists.ts";
import { presentChange, presentVersion } from "./present.ts";
import { countTouched } from "./queries.ts";
import {
  ChangedEntry,
  ChangesQuery,
  Countries,
  CountryTouched,
  ImportedVersion,
  ListVersion,
  SanctionsLists,
  VersionShown,
  VersionsQuery,
} from "./schema.ts";

const base = "/console/api/screening";
const reading = { may: "reviews.read" } as const;

export function screeningRoutes(api: Api, parts: WriteParts): void {
  const { db, clock } = parts;
  const viewerOf = ({ access: { user, actor } }: { access: ConsoleAccess }) => ({
    ...{ user, who: actor.who, nowMs: clock() },
  });

  api.get(base, { config: reading, schema: { response: { 200: SanctionsLists } } }, (request) =>
    readLists(db, viewerOf(request)),
  );

  listRoute(api, `${base}/versions`, {
    ...reading,
    query: VersionsQuery,
    row: ListVersion,
    find: ({ query: { list, cursor }, limit }) =>
      listVersionsBefore(db, {
        list: list as ListName | undefined,
        beforeId: cursor ?? newestId,
        limit,
      }),
    present: (rows) => rows.map(presentVersion),
  });

  api.get(
    `${base}/versions/:id`,
    { config: reading, schema: { params: ById, response: { 200: VersionShown } } },
    (request) => readVersion(db, idIn(request.params, "LIST201"), viewerOf(request)),
  );

  listRoute(api, `${base}/versions/:id/changes`, {
    ...reading,
    query: ChangesQuery,
    row: ChangedEntry,
    find: async ({ params, query: { kind, cursor = "" }, limit }) =>
      listChanges(db, await requireVersion(db, idIn(params, "LIST201")), {
        kind,
        afterKey: readKeyCursor(cursor) ?? "",
        limit,
      }),
    cursorOf: ({ key }) => writeKeyCursor(key),
    present: (rows) => rows.map(presentChange),
  });

  api.get(
    `${base}/countries`,
    { config: reading, schema: { response: { 200: Countries } } },
    async () => ({ countries: allCountries() }),
  );

  api.get(
    `${base}/countries/:id/touched`,
    { config: reading, schema: { params: ById, response: { 200: CountryTouched } } },
    ({ params }) => countTouched(db, params.id.toUpperCase()),
  );

  const decided = { response: ListVersion, answer: presentVersion };
  actRoute(api, parts, `POST ${base}/versions/:id/approve`, approveList, decided);
  actRoute(api, parts, `POST ${base}/versions/:id/decline`, declineList, decided);

  const imported = {
    response: ImportedVersion,
    answer: ({ version, ...one }: ImportOutcome) => ({ ...one, version: presentVersion(version) }),
  };
  actRoute(api, parts, `POST ${base}/lists/:list/versions`, importList, {
    ...imported,
    takesFiles: true,
    bodyLimit: listLimits.bytesMax,
  });
  actRoute(api, parts, `POST ${base}/embargoes`, embargoCountry, imported);
  actRoute(api, parts, `POST ${base}/embargoes/:country/end`, endEmbargo, imported);
}
