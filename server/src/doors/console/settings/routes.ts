// /console/api/s/<id>/settings, /funding, and /console/api/subaccounts: read and change a subaccount, create one, close one

import { describeFunding, FundingInstructions } from "../../../banking/connections/index.ts";
import type { Mode } from "../../../platform/base/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import { inSubaccount } from "../route.ts";
import { changeSettings, type SettingsParts } from "./change.ts";
import { closeConsoleSubaccount } from "./close-subaccount.ts";
import { createConsoleSubaccount } from "./create-subaccount.ts";
import {
  ClosedSubaccount,
  MadeSubaccount,
  NewSubaccountRequest,
  ProfileChange,
  Settings,
} from "./schema.ts";
import { readSettings } from "./settings.ts";

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

  api.patch(
    `${base}/settings`,
    {
      config: { may: "settings.write" },
      schema: { body: ProfileChange, response: { 200: Settings } },
    },
    async (request) =>
      changeSettings(parts, requireOpenSubaccount(inSubaccount(request)), request.body),
  );

  api.post(
    "/console/api/subaccounts",
    {
      config: { may: "subaccounts.create", stepUp: true },
      schema: { body: NewSubaccountRequest, response: { 200: MadeSubaccount } },
    },
    async ({ access, body: { name, mode } }) =>
      createConsoleSubaccount(parts, access.actor, { name, mode: mode as Mode }),
  );

  api.post(
    `${base}/close`,
    {
      config: { may: "subaccounts.create", stepUp: true },
      schema: { body: ClosedSubaccount, response: { 200: Settings } },
    },
    async (request) => {
      const access = requireOpenSubaccount(inSubaccount(request));
      return closeConsoleSubaccount(parts, access, request.body.name);
    },
  );
}
