// /console/api/s/<id>/settings, /funding, and /console/api/subaccounts: read and change a subaccount, create one, close one

import { describeFunding, FundingInstructions } from "../../../banking/connections/index.ts";
import type { AddressPolicy } from "../../../platform/addresses/index.ts";
import { pictureLimits } from "../../../platform/documents/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import type { Retention } from "../../../platform/retention/index.ts";
import {
  closeForGood,
  dropReceiptLogo,
  findReceiptLogo,
  setReceiptLogo,
  setSecondUser,
} from "../../../tenants/subaccounts/index.ts";
import { changeSettings, registerSubaccount } from "../../../webhooks/webhook-endpoints/index.ts";
import { actRoute } from "../act-route.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import { inSubaccount, type SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { NewSubaccountRequest, Settings } from "./schema.ts";
import { readSettings } from "./settings.ts";

type SettingsParts = WriteParts & { addresses: AddressPolicy; retention: Retention };

/** The picture, and room for its name. */
const logoBodyBytesMax = pictureLimits.bytesMax + 10_000;

const base = "/console/api/s/:subaccountId";

export function settingsRoutes(api: Api, parts: SettingsParts): void {
  api.get(
    `${base}/settings`,
    { config: { may: "read" }, schema: { response: { 200: Settings } } },
    async (request) => readSettings(parts.db, inSubaccount(request).subaccount.id, parts.retention),
  );

  api.get(
    `${base}/funding`,
    { config: { may: "read" }, schema: { response: { 200: FundingInstructions } } },
    async (request) => {
      const { id: subaccountId, mode } = requireOpenSubaccount(inSubaccount(request)).subaccount;
      return describeFunding(parts, { subaccountId, mode });
    },
  );

  const showNow = {
    response: Settings,
    answer: (_: unknown, { subaccount }: SubaccountAccess) =>
      readSettings(parts.db, subaccount.id, parts.retention),
  };
  actRoute(api, parts, `PATCH ${base}/settings`, changeSettings, showNow);
  actRoute(api, parts, "POST /console/api/subaccounts", {
    ...registerSubaccount,
    input: NewSubaccountRequest,
  });
  actRoute(api, parts, `PUT ${base}/settings/logo`, setReceiptLogo, {
    ...showNow,
    bodyLimit: logoBodyBytesMax,
  });
  actRoute(api, parts, `DELETE ${base}/settings/logo`, dropReceiptLogo, showNow);
  api.get(`${base}/settings/logo`, { config: { may: "read" } }, async (request, reply) => {
    const logo = await findReceiptLogo(parts.db, inSubaccount(request).subaccount.id);
    if (!logo) throw new Refusal("CONS110");
    return reply.type(logo.mediaType).send(logo.bytes);
  });
  actRoute(api, parts, `PUT ${base}/settings/second-user`, setSecondUser, showNow);
  actRoute(api, parts, `POST ${base}/close`, closeForGood, showNow);
}
