// Starts the service that delivers events.

import "reflect-metadata";
import { NestFactory } from "@nestjs/core";
import type { PoolConfig } from "pg";
import { OutboxWorker } from "./outbox/outbox.worker.ts";
import { workerModule } from "./worker.module.ts";

/** `stop` resolves when nothing is being sent any more. */
export async function deliver(database: PoolConfig): Promise<{ stop(): Promise<void> }> {
  const app = await NestFactory.createApplicationContext(workerModule(database), {
    logger: ["error", "warn"],
  });
  const worker = app.get(OutboxWorker, { strict: false });
  worker.start();
  return {
    async stop() {
      await worker.stop();
      await app.close();
    },
  };
}
