// POST /webhooks/kyc/<provider>: receives the reports of an identity check provider.

import Type from "typebox";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/connect.ts";
import type { Api } from "../http/route.ts";
import { isRemote, type RemoteProvider, type Report } from "../kyc-providers/provider.ts";
import { type KycProviders, providerNamed } from "../kyc-providers/providers.ts";
import { askStep } from "../receivers/move.ts";
import { Refusal } from "../refusals/refusals.ts";
import { applyReport } from "./decide.ts";
import { findApplicant } from "./queries.ts";

type VerificationRouteParts = { db: Db; clock: Clock; providers: KycProviders };

const ReportResult = Type.Object({ message: Type.String() }, { title: "ReportResult" });

export function verificationRoutes(api: Api, parts: VerificationRouteParts): void {
  const { db, clock, providers } = parts;

  api.post(
    "/webhooks/kyc/:provider",
    {
      config: { failure: "report refused" },
      schema: {
        // Only the provider calls it, so it is not in openapi.json. docs/identity-checks.md describes it.
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
