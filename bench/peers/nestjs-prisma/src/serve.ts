// Starts the service that answers requests.

import "reflect-metadata";
import { randomUUID } from "node:crypto";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import type { PoolConfig } from "pg";
import { appModule } from "./app.module.ts";

const keepAliveMs = 72_000;

/** On a free port of this machine. */
export async function serve(database: PoolConfig): Promise<{ port: number }> {
  const adapter = new FastifyAdapter({
    keepAliveTimeout: keepAliveMs,
    bodyLimit: 64 * 1024,
    genReqId: () => randomUUID(),
  });
  adapter.getInstance().addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id).header("cache-control", "no-store");
    done();
  });
  const app = await NestFactory.create<NestFastifyApplication>(appModule(database), adapter, {
    logger: ["error", "warn"],
  });
  await app.listen(0, "127.0.0.1");
  return { port: Number(new URL(await app.getUrl()).port) };
}
