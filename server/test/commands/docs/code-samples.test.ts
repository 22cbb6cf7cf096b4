// The code of the documentation site, run as it is shown, in every language that the machine has: the story of the recorded samples,
// with each call made by its sample, against a running service.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { build } from "../../../../client/build.ts";
import type { Sample } from "../../../src/doors/app/samples/sample.ts";
import { type Call, tellStory } from "../../../src/doors/app/samples/story.ts";
import { clientFaces } from "../../../src/doors/app/site/client-calls.ts";
import { codeSamples, shownBaseUrl, shownKey } from "../../../src/doors/app/site/code-samples.ts";
import { call as callDirectly, type Service, startService } from "../../support/service.ts";
import { type Sink, startSink } from "../../support/sink.ts";
import { missingCommands, testUnless } from "../../support/skippable.ts";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const folder = mkdtempSync(join(tmpdir(), "disburse-samples-"));
const timeoutMs = 600_000;

type Runtime = {
  command: string[];
  file: string;
  needs: string | undefined;
  env?: Record<string, string>;
};

const missingFolder = (path: string) =>
  existsSync(join(root, path)) ? undefined : `this version has no ${path}`;

const runtimes: Record<string, Runtime> = {
  curl: { command: ["bash"], file: "sample.sh", needs: missingCommands("bash", "curl", "openssl") },
  TypeScript: { command: [process.execPath], file: "sample.mts", needs: undefined },
  Python: {
    command: ["python3"],
    file: "sample.py",
    needs: missingCommands("python3") ?? missingFolder("clients/python"),
    // It would keep what it prints on a pipe until its end.
    env: { PYTHONPATH: join(root, "clients", "python", "src"), PYTHONUNBUFFERED: "1" },
  },
  PHP: {
    command: ["php"],
    file: "sample.php",
    needs: missingCommands("php") ?? missingFolder("clients/php"),
  },
};

let service: Service;
let sink: Sink;

beforeAll(async () => {
  [service, sink] = await Promise.all([startService({ delivers: true }), startSink()]);
  const client = join(folder, "node_modules", "@disburse", "client");
  build(join(client, "dist"));
  cpSync(join(root, "client", "package.json"), join(client, "package.json"));
  // As composer writes it for the package.
  mkdirSync(join(folder, "vendor"));
  writeFileSync(
    join(folder, "vendor", "autoload.php"),
    `<?php spl_autoload_register(function ($class) {
      require '${root}/clients/php/src/' . str_replace('\\\\', '/', substr($class, strlen('Disburse\\\\'))) . '.php';
    });`,
  );
}, timeoutMs);

afterAll(async () => {
  await service.close();
  await sink.close();
  rmSync(folder, { recursive: true, force: true });
});

type Exchange = { method: string; path: string; body: string; status: number; answer: string };

/** Between the samples and the service, to see what they send. */
async function startWitness() {
  const seen: Exchange[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { method = "", url: path = "", headers } = request;
    const answer = await fetch(service.baseUrl + path, {
      method,
      headers: Object.entries(headers).filter(
        ([name]) => !/^(host|connection|content-length|expect)$/.test(name),
      ) as [string, string][],
      ...(body && { body }),
    });
    const exchange = { method, path, body, status: answer.status, answer: "" };
    seen.push(exchange);
    const type = answer.headers.get("content-type") ?? "";
    response.writeHead(answer.status, {
      "content-type": type,
      ...(answer.headers.has("link") && { link: String(answer.headers.get("link")) }),
    });
    response.flushHeaders();
    try {
      for await (const chunk of answer.body ?? []) {
        exchange.answer += Buffer.from(chunk).toString();
        response.write(chunk);
      }
    } catch {
      // The feed has no end but that of the service.
    }
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    seen,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close().closeAllConnections(),
  };
}

describe.each(Object.entries(runtimes))("%s", (title, runtime) => {
  testUnless(runtime.needs)(
    "every sample runs as it is shown",
    async () => {
      const { key, secret } = await service.newCaller({ isAlone: true });
      const witness = await startWitness();
      const run = new Set<string>();

      const runSample = async (sample: Sample): Promise<Exchange> => {
        const code = codeSamples(sample).find((one) => one.title === title)?.text ?? "";
        const filled = code.replaceAll(shownKey, key).replaceAll(shownBaseUrl, witness.baseUrl);
        writeFileSync(join(folder, runtime.file), filled);
        witness.seen.length = 0;
        const program = spawn(
          runtime.command[0] as string,
          [...runtime.command.slice(1), runtime.file],
          {
            cwd: folder,
            detached: true,
            env: { ...process.env, ...runtime.env, DISBURSE_API_SECRET: secret },
          },
        );
        const printed = Promise.all([text(program.stdout), text(program.stderr)]);
        if (sample.operationId === "listenToEvents") await endAfterEvent(program, witness.seen);
        else await once(program, "exit");
        const [out, err] = await printed;
        const [first] = witness.seen;
        if (!first) throw new Error(`${sample.operationId} sent nothing:\n${filled}\n${out}${err}`);
        expect(first.status, `${filled}\n${out}${err}`).toBe(200);
        if (sample.operationId !== "listenToEvents")
          expect(program.exitCode, `${filled}\n${out}${err}`).toBe(0);
        // What is deleted is nothing that could be printed.
        if (sample.method !== "DELETE") expect(out.trim(), sample.operationId).not.toBe("");
        run.add(sample.operationId);
        return first;
      };

      const call: Call = async (operationId, line, ask = {}) => {
        const [method = "", path = ""] = line.split(" ");
        const { headers, body, status = 200, until, isAside } = ask;
        const direct = () =>
          callDirectly({ baseUrl: service.baseUrl, key, secret }, method, path, {
            version: 2,
            body,
            ...(headers && { headers }),
          });
        if (until)
          await expect
            .poll(async () => until((await direct()).json.payload), { timeout: 60_000 })
            .toBe(true);
        const isCsv = headers?.accept === "text/csv";
        if (status !== 200 || isAside || isCsv) {
          const answer = await direct();
          expect(answer.status, line).toBe(status);
          return answer.json?.payload;
        }
        const sample = {
          operationId,
          summary: "",
          method,
          path,
          headers,
          body,
          status,
          answer: null,
        };
        const sent = await runSample(sample as Sample);
        expectSame(sent, sample as Sample);
        return sent.answer.startsWith("{") ? JSON.parse(sent.answer).payload : undefined;
      };
      await tellStory({ call, endpoint: sink.url("/events"), startedMs: Date.now() });
      witness.close();
      expect([...run].sort()).toEqual([...Object.keys(clientFaces), "healthz", "readyz"].sort());
    },
    timeoutMs,
  );
});

/** What a client adds of its own is another matter: the size of a page, an empty body. */
function expectSame(sent: Exchange, { operationId, method, path, body }: Sample): void {
  const [expected, actual] = [path, sent.path].map((one) => new URL(one, shownBaseUrl));
  expect([sent.method, actual?.pathname], operationId).toEqual([method, expected?.pathname]);
  if (operationId === "listenToEvents") return;
  for (const [name, value] of expected?.searchParams ?? [])
    expect(actual?.searchParams.get(name), `${operationId} ${name}`).toBe(value);
  if (body !== undefined)
    expect(asTexts(JSON.parse(sent.body)), operationId).toEqual(asTexts(body));
}

/** A client sends a time as text where the API takes both. */
const asTexts = (body: unknown) =>
  JSON.parse(JSON.stringify(body, (_name, one) => (typeof one === "number" ? String(one) : one)));

/** A feed has no end: the program is stopped when it has printed an event. */
async function endAfterEvent(program: ChildProcess, seen: readonly Exchange[]): Promise<void> {
  const printed = once(program.stdout as NodeJS.ReadableStream, "data");
  await Promise.race([printed, once(program, "exit")]);
  await expect.poll(() => seen[0]?.answer, { timeout: 60_000 }).toContain("\ndata: ");
  // With what it started.
  process.kill(-(program.pid as number));
  if (program.exitCode === null && program.signalCode === null) await once(program, "exit");
}
