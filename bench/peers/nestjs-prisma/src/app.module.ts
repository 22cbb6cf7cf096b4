// The service that answers requests.

import { type DynamicModule, Module } from "@nestjs/common";
import type { PoolConfig } from "pg";
import { databaseModule } from "./database/database.module.ts";
import { PayoutsModule } from "./payouts/payouts.module.ts";
import { ReceiversModule } from "./receivers/receivers.module.ts";

@Module({})
class AppModule {}

export function appModule(database: PoolConfig): DynamicModule {
  return {
    module: AppModule,
    imports: [databaseModule(database), ReceiversModule, PayoutsModule],
  };
}
