// /console/api/s/<id>/keys: a subaccount's API keys. A secret is shown only in the response that creates it.

import { hasThreshold } from "../../../money/payouts/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import {
  createApiKey,
  renameApiKey,
  revokeApiKey,
  rotateApiKey,
} from "../../../tenants/api-keys/index.ts";
import { pageOf } from "../../lists/index.ts";
import { actRoute } from "../act-route.ts";
import { listRoute } from "../list-route.ts";
import type { WriteParts } from "../write-parts.ts";
import { toKeyLine } from "./present.ts";
import { listKeysToShow } from "./queries.ts";
import { KeyLine, KeyQuery } from "./schema.ts";

const base = "/console/api/s/:subaccountId/keys";

export function keyRoutes(api: Api, parts: WriteParts): void {
  const { db, clock } = parts;

  const readKeys = listRoute(api, base, {
    query: KeyQuery,
    row: KeyLine,
    find: ({ subaccountId, query: { status, cursor: after }, limit }) =>
      listKeysToShow(db, subaccountId, { withEnded: status === "all", after, limit }),
    cursorOf: ({ key }) => key,
    present: (keys, { access }) =>
      keys.map((key) => toKeyLine(key, access.subaccount.mode, clock())),
    csv: { name: "keys", cells: ({ secrets }) => ({ secrets: secrets.length }) },
  });

  const keyParts = { ...parts, hasThreshold };
  actRoute(api, keyParts, `POST ${base}`, createApiKey);
  actRoute(api, keyParts, `POST ${base}/:key/rotate`, rotateApiKey);
  actRoute(api, parts, `POST ${base}/:key/rename`, renameApiKey);
  actRoute(api, parts, `POST ${base}/:key/revoke`, revokeApiKey, {
    response: pageOf(KeyLine),
    answer: (_, access) => readKeys(access, {}),
  });
}
