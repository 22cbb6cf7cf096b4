// The generated client on a pool of connections.

import { Inject, Injectable, type OnModuleDestroy } from "@nestjs/common";
import { PrismaPg } from "@prisma/adapter-pg";
import type { PoolConfig } from "pg";
import { PrismaClient } from "../generated/client.ts";
import { nameOfStatement } from "./statement-names.ts";

export const DATABASE = Symbol("database");

const connectionsMax = 16;

@Injectable()
export class PrismaService extends PrismaClient implements OnModuleDestroy {
  constructor(@Inject(DATABASE) database: PoolConfig) {
    const pool = { ...database, max: connectionsMax };
    super({
      adapter: new PrismaPg(pool, { statementNameGenerator: nameOfStatement }),
      // A burst of payouts to one balance waits its turn instead of failing.
      transactionOptions: { maxWait: 10_000, timeout: 10_000 },
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.$disconnect();
  }
}
