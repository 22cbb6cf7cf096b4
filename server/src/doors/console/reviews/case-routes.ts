// /console/api/reviews/hits and /holds: hits and payouts on hold of the review queue, and decisions about them

import Type from "typebox";
import { isUuid } from "../../../platform/base/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { isProven } from "../../../tenants/roles/index.ts";
import { Ask, Asked } from "../../review-list/index.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import { inSubaccount, type SubaccountAccess } from "../route.ts";
import { readHitCase } from "./hits/case.ts";
import { decideHitCase } from "./hits/decide.ts";
import { DifferentPerson, HitCase, HitDecided, SamePerson } from "./hits/schema.ts";
import { readHoldCase } from "./holds/case.ts";
import { decideHold, type HoldParts } from "./holds/decide.ts";
import { HoldCase, HoldDecided, HoldDecisionRequest } from "./holds/schema.ts";
import { askAbout } from "./notes.ts";

const OfObject = Type.Object({ subaccountId: Type.String(), id: Type.String() });
const config = { may: "receivers.review" } as const;
const reading = { may: "reviews.read" } as const;
const hits = "/console/api/reviews/hits/:subaccountId/:id";
const holds = "/console/api/reviews/holds/:subaccountId/:id";

export function reviewCaseRoutes(api: Api, parts: HoldParts): void {
  const { db, seal, clock } = parts;
  const readerOf = ({ user, actor }: SubaccountAccess) => ({
    user,
    who: actor.who,
    nowMs: clock(),
  });

  api.get(
    hits,
    { config: reading, schema: { params: OfObject, response: { 200: HitCase } } },
    async (request) => {
      const access = inSubaccount(request);
      return found(
        await readHitCase({ db, seal }, keyOf(access, request.params), readerOf(access)),
      );
    },
  );

  api.post(
    `${hits}/different`,
    { config, schema: { params: OfObject, body: DifferentPerson, response: { 200: HitDecided } } },
    async (request) => {
      const access = inSubaccount(request);
      const { version, reason, release } = request.body;
      // Money may leave, as after an approval.
      if (release) requireOpenSubaccount(access);
      if (release && !isProven(access.session, clock())) throw new Refusal("CONS103");
      const ruling = { verdict: "different" as const, version, reason, release };
      return decideHitCase(parts, keyOf(access, request.params), ruling, access.actor);
    },
  );

  api.post(
    `${hits}/same`,
    { config, schema: { params: OfObject, body: SamePerson, response: { 200: HitDecided } } },
    async (request) => {
      const access = inSubaccount(request);
      const ruling = { ...request.body, verdict: "same" as const, release: false };
      return decideHitCase(parts, keyOf(access, request.params), ruling, access.actor);
    },
  );

  api.post(
    `${hits}/ask`,
    { config, schema: { params: OfObject, body: Ask, response: { 200: Asked } } },
    async (request) => {
      const access = inSubaccount(request);
      const key = keyOf(access, request.params);
      const { receiver_id, waits } = found(await readHitCase({ db, seal }, key, readerOf(access)));
      if (!waits) throw new Refusal("CONS602");
      const about = { ...request.body, kind: "hit" as const, objectId: key.id };
      return { notes: await askAbout(parts, { ...key, id: receiver_id }, about, access.actor) };
    },
  );

  api.get(
    holds,
    { config: reading, schema: { params: OfObject, response: { 200: HoldCase } } },
    async (request) => {
      const access = inSubaccount(request);
      return found(
        await readHoldCase({ db, seal }, keyOf(access, request.params), readerOf(access)),
      );
    },
  );

  for (const action of ["release", "refuse"] as const) {
    api.post(
      `${holds}/${action}`,
      {
        // A release lets money leave, as an approval does.
        config: { ...config, stepUp: action === "release" },
        schema: { params: OfObject, body: HoldDecisionRequest, response: { 200: HoldDecided } },
      },
      async (request) => {
        const access = inSubaccount(request);
        if (action === "release") requireOpenSubaccount(access);
        const ruling = { ...request.body, action };
        const key = keyOf(access, request.params);
        const { status, stage } = await decideHold(parts, key, ruling, access.actor);
        return { status, stage };
      },
    );
  }

  api.post(
    `${holds}/ask`,
    { config, schema: { params: OfObject, body: Ask, response: { 200: Asked } } },
    async (request) => {
      const access = inSubaccount(request);
      const key = keyOf(access, request.params);
      const { receiver_id, waits } = found(await readHoldCase({ db, seal }, key, readerOf(access)));
      if (!waits) throw new Refusal("CONS508");
      const about = { ...request.body, kind: "hold" as const, objectId: key.id };
      return { notes: await askAbout(parts, { ...key, id: receiver_id }, about, access.actor) };
    },
  );
}

function found<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Refusal("CONS110");
  return found;
}

function keyOf({ subaccount }: SubaccountAccess, { id }: { id: string }) {
  if (!isUuid(id)) throw new Refusal("CONS110");
  return { subaccountId: subaccount.id, id: id.toLowerCase() };
}
