// GET /healthz: the process is up. GET /readyz: whether it can serve requests, or why not.

import Type, { type Static } from "typebox";
import {
  type Db,
  findTroubles,
  outageReasons,
  pendingMigrations,
} from "../../platform/db/index.ts";
import type { Api } from "../../platform/http/index.ts";
import { limits } from "../../platform/limits/index.ts";

export type Readiness = {
  isDraining: () => boolean;
  db: Db;
  /** Other reasons why requests can't be served. */
  otherReasons?: () => string[] | Promise<string[]>;
};

const Health = Type.Object(
  { status: Type.String({ enum: ["ok"] }) },
  { title: "Health", description: "The process is alive" },
);
const Ready = Type.Object(
  {
    status: Type.String({ enum: ["ready", "unavailable"] }),
    reasons: Type.Array(Type.String(), { description: "Reasons; empty when ready" }),
  },
  { title: "Readiness", description: "Whether the process can serve requests" },
);

export function healthRoutes(api: Api, readiness: Readiness): void {
  api.get(
    "/healthz",
    {
      schema: {
        operationId: "healthz",
        tags: ["Operations"],
        summary: "Check that the process is alive",
        response: { 200: Health },
      },
    },
    async () => ({ status: "ok" }),
  );

  api.get(
    "/readyz",
    {
      schema: {
        operationId: "readyz",
        tags: ["Operations"],
        summary: "Ready to serve, or the reasons why not",
        response: { 200: Ready, 503: Ready },
      },
    },
    async (_request, reply) => {
      const ready = await readinessOf(readiness);
      if (ready.status !== "ready") reply.code(503);
      return ready;
    },
  );
}

export async function readinessOf(readiness: Readiness): Promise<Static<typeof Ready>> {
  const { isDraining, db, otherReasons = () => [] } = readiness;
  const ending = isDraining() ? ["shutting down"] : [];
  const reasons = [...ending, ...(await otherReasons()), ...(await databaseReasons(db))];
  return { status: reasons.length > 0 ? "unavailable" : "ready", reasons };
}

export async function isReady(readiness: Readiness): Promise<boolean> {
  return (await readinessOf(readiness)).status === "ready";
}

async function databaseReasons(db: Db): Promise<string[]> {
  const tooLate = new Promise<string[]>((resolve) => {
    setTimeout(resolve, limits.readinessTimeoutMs, [outageReasons.noAnswer]).unref();
  });
  const checked = findTroubles(db).then(async (troubles) =>
    troubles.length > 0 ? troubles : findMissingMigrations(db),
  );
  return Promise.race([checked, tooLate]);
}

async function findMissingMigrations(db: Db): Promise<string[]> {
  try {
    return (await pendingMigrations(db.pool)).map((name) => `migration ${name} is not applied`);
  } catch {
    return [outageReasons.unreachable];
  }
}
