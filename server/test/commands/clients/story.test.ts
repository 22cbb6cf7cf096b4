// One story, told by the clients in TypeScript, Python and PHP against a running service: each sees the same.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";
import vectors from "../../../../client/test/signature-vectors.json" with { type: "json" };
import { clientsFolder, pythonFolder } from "../../support/clients.ts";
import { startLossyProxy } from "../../support/cutting-proxy.ts";
import { startOddServer } from "../../support/odd-server.ts";
import { newCaller } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";
import { missingCommands, testUnless } from "../../support/skippable.ts";

const expected = JSON.parse(readFileSync(join(clientsFolder, "story", "expected.json"), "utf8"));

await useService({ delivers: true });

const programs = [
  { language: "TypeScript", program: process.execPath, file: "story.ts", missing: undefined },
  {
    language: "Python",
    program: "python3",
    file: "story.py",
    missing: missingCommands("python3"),
  },
  { language: "PHP", program: "php", file: "story.php", missing: missingCommands("php") },
];

for (const { language, program, file, missing } of programs) {
  testUnless(missing)(`the client in ${language} sees what the story expects`, async () => {
    const { key, secret, subaccountId } = await newCaller(service, { isAlone: true });
    const reader = await newCaller(service, { scopes: ["read"] });
    const proxy = await startLossyProxy(service.port);
    const odd = await startOddServer();
    const given = {
      ...{ key, secret, vectors: vectors.signatures, baseUrl: service.baseUrl },
      ...{ proxyUrl: proxy.url, oddUrl: odd.baseUrl, hookUrl: await startHook() },
      // Also a story that is told at midnight is within them.
      days: { from: dayAfter(-1), to: dayAfter(1) },
      reader: { key: reader.key, secret: reader.secret },
    };
    const env = {
      PATH: process.env.PATH,
      PYTHONPATH: pythonFolder,
      PYTHONDONTWRITEBYTECODE: "1",
      STORY: JSON.stringify(given),
    };
    const child = spawn(program, [join(clientsFolder, "story", file)], { env });
    const [printed, complaints] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    expect(complaints).toBe("");
    expect({ ...JSON.parse(printed), sent: odd.sentBy(key) }).toEqual(expected);
    expect(proxy.cuts()).toBeGreaterThan(10);
    const { rows } = await service.db.pool.query(
      "select count(*)::int as payouts from payout where subaccount_id = $1",
      [subaccountId],
    );
    expect(rows).toEqual([{ payouts: 3 + 30 + 1050 }]);
  });
}

function dayAfter(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** A webhook endpoint. GET returns what it got. */
async function startHook(): Promise<string> {
  const delivered: { headers: unknown; body: string }[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === "GET") {
      response.end(JSON.stringify(delivered));
      return;
    }
    const { headers } = request;
    delivered.push({ headers, body: await text(request) });
    response.writeHead(204).end();
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
