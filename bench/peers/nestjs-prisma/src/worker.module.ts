// The service that delivers events.

import { type DynamicModule, Module } from "@nestjs/common";
import type { PoolConfig } from "pg";
import { databaseModule } from "./database/database.module.ts";
import { OutboxModule } from "./outbox/outbox.module.ts";

@Module({})
class WorkerModule {}

export function workerModule(database: PoolConfig): DynamicModule {
  return { module: WorkerModule, imports: [databaseModule(database), OutboxModule] };
}
