// /console/api/reviews/hits and /holds: hits and payouts on hold of the review queue, and decisions about them

import Type from "typebox";
import {
  askAboutCase,
  decideDifferent,
  decideSame,
  refuseHeldPayout,
  releaseHeldPayout,
} from "../../../money/hits/index.ts";
import type { PayoutParts } from "../../../money/payouts/index.ts";
import type { ReviewNoteRow } from "../../../people/reviews/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { Asked } from "../../review-list/index.ts";
import { actRoute } from "../act-route.ts";
import { idIn, inSubaccount, type SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { readHitCase } from "./hits/case.ts";
import { HitCase, HitDecided } from "./hits/schema.ts";
import { readHoldCase } from "./holds/case.ts";
import { HoldCase, HoldDecided } from "./holds/schema.ts";
import { notesAbout } from "./notes.ts";

const OfObject = Type.Object({ subaccountId: Type.String(), id: Type.String() });
const reading = { may: "reviews.read" } as const;
const hits = "/console/api/reviews/hits/:subaccountId/:id";
const holds = "/console/api/reviews/holds/:subaccountId/:id";

type CaseParts = WriteParts & Pick<PayoutParts, "rails" | "onDue">;

export function reviewCaseRoutes(api: Api, parts: CaseParts): void {
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

  actRoute(api, parts, `POST ${hits}/different`, decideDifferent, { response: HitDecided });
  actRoute(api, parts, `POST ${hits}/same`, decideSame, { response: HitDecided });
  actRoute(api, parts, `POST ${hits}/ask`, askAboutCase, { ...asked, fields: { kind: "hit" } });

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

  const ended = { response: HoldDecided };
  actRoute(api, parts, `POST ${holds}/release`, releaseHeldPayout, ended);
  actRoute(api, parts, `POST ${holds}/refuse`, refuseHeldPayout, ended);
  actRoute(api, parts, `POST ${holds}/ask`, askAboutCase, { ...asked, fields: { kind: "hold" } });
}

const asked = {
  response: Asked,
  answer: ({ id, notes }: { id: string; notes: ReviewNoteRow[] }) => ({
    notes: notesAbout(notes, id),
  }),
};

function found<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Refusal("CONS110");
  return found;
}

function keyOf({ subaccount }: SubaccountAccess, params: { id: string }) {
  return { subaccountId: subaccount.id, id: idIn(params) };
}
