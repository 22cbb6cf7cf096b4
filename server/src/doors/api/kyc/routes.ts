// POST /webhooks/kyc/<provider> and /webhooks/kyc/<provider>/<cell>: receive the reports of an identity check provider.
// POST /api/receiver/<id>/kyc-link: the link for the person.

import Type from "typebox";
import { applyReport, findApplicant, type MakePersonLink } from "../../../people/kyc/index.ts";
import {
  isRemote,
  type KycProviders,
  kycWebhookPath,
  providerNamed,
  type RemoteProvider,
  type Report,
} from "../../../people/kyc-providers/index.ts";
import { askStep, KycLink, NewKycLink } from "../../../people/receivers/index.ts";
import { type Clock, isUuid } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import { type Api, ById, success } from "../../../platform/http/index.ts";
import { useNonceOnce } from "../../../platform/idempotency/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";

type VerificationRouteParts = {
  db: Db;
  clock: Clock;
  providers: KycProviders;
  /** Empty: the default cell. */
  cell: string;
  makePersonLink: MakePersonLink;
};

const ReportResult = Type.Object({ message: Type.String() }, { title: "ReportResult" });

export function verificationRoutes(api: Api, parts: VerificationRouteParts): void {
  const { db, makePersonLink } = parts;

  api.post(
    "/api/receiver/:id/kyc-link",
    {
      config: {
        failure: "create kyc link failed",
        scope: "write",
        badBody: "REVR232",
        emptyBody: true,
        storesNoResponse: true,
        refusals: [
          ...(["REVR101", "REVR102", "REVR231", "REVR232"] as const),
          ...(["REVR303", "REVR304", "REVR305"] as const),
        ],
      },
      schema: {
        operationId: "createKycLink",
        tags: ["Receivers"],
        summary: "Create a link for the person",
        description:
          "The person opens it and gives the documents that the identity check needs. It is a " +
          "secret of the person. Every request creates a link; none is stored.",
        params: ById,
        body: NewKycLink,
        response: { 200: success(KycLink) },
      },
    },
    async ({ caller, params: { id } }) => {
      if (id === "") throw new Refusal("REVR102");
      if (!isUuid(id)) throw new Refusal("REVR101");
      const key = { subaccountId: caller.subaccountId, id: id.toLowerCase() };
      // First, so that a recorded copy of the request gets no link.
      const { url, expiresAtMs } = await makePersonLink(key, () => useNonceOnce(db, caller));
      const payload = { receiver_id: key.id, url, expires_at: String(expiresAtMs) };
      return { message: "kyc link created successfully", payload };
    },
  );

  // The edge routes reports by the path that names the cell. The path without one is that of the default cell; every
  // cell serves it, for addresses from before there were cells.
  const names = new Set(["", parts.cell]);
  for (const cell of names) receiveReports(api, kycWebhookPath(":provider", cell), parts);
}

function receiveReports(
  api: Api,
  path: string,
  { db, clock, providers }: VerificationRouteParts,
): void {
  api.post(
    path,
    {
      config: { failure: "report refused" },
      schema: {
        // Only the provider calls it, so it is not in openapi.json. docs/compliance/identity-checks.md describes it.
        hide: true,
        params: Type.Object({ provider: Type.String() }),
        response: { 200: ReportResult },
      },
    },
    async ({ params, body, headers }) => {
      const provider = providerNamed(providers, params.provider);
      if (!provider || !isRemote(provider)) throw new Refusal("KYCW101");
      if (!(body instanceof Buffer) || !provider.webhook.verify(body, headers)) {
        throw new Refusal("KYCW102");
      }
      const report = read(provider, body);
      if (!report) return { message: "not about the outcome of a check" };

      const key = await findApplicant(db, provider.name, report.applicantId);
      // The applicant may not be recorded yet. The provider repeats the report later, and we also ask for it.
      if (!key) throw new Refusal("KYCW104");
      if (report.receiverId !== undefined && report.receiverId !== key.id) {
        throw new Refusal("KYCW103");
      }
      const nowMs = clock();
      const thenAsk = askStep(provider, nowMs);
      const received = { ...report, provider: provider.name, receivedAtMs: nowMs, thenAsk };
      return { message: await db.transaction((tx) => applyReport(tx, key, received)) };
    },
  );
}

function read(provider: RemoteProvider, body: Buffer): Report | undefined {
  try {
    return provider.webhook.parse(body);
  } catch {
    throw new Refusal("KYCW103");
  }
}
