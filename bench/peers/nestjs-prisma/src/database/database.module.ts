// Gives every module the database.

import { type DynamicModule, Module } from "@nestjs/common";
import type { PoolConfig } from "pg";
import { DATABASE, PrismaService } from "./prisma.service.ts";

@Module({})
class DatabaseModule {}

export function databaseModule(database: PoolConfig): DynamicModule {
  return {
    module: DatabaseModule,
    global: true,
    providers: [{ provide: DATABASE, useValue: database }, PrismaService],
    exports: [PrismaService],
  };
}
