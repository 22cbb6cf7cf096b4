// API keys, read once and then kept for a while.

import { Injectable } from "@nestjs/common";
import { PrismaService } from "../database/prisma.service.ts";

type ApiKey = { secret: string; subaccountId: string };
type Cached = { apiKey: ApiKey | null; untilMs: number };

/** For this long a revoked key is still accepted. */
const cachedMs = 30_000;
const cachedMax = 10_000;

@Injectable()
export class ApiKeysService {
  private readonly cache = new Map<string, Cached>();

  constructor(private readonly prisma: PrismaService) {}

  /** A key that was read before is returned at once, without a promise. */
  find(key: string): ApiKey | null | Promise<ApiKey | null> {
    const cached = this.cache.get(key);
    return cached && cached.untilMs > Date.now() ? cached.apiKey : this.read(key);
  }

  private async read(key: string): Promise<ApiKey | null> {
    const apiKey = await this.prisma.apiKey.findUnique({
      where: { key },
      select: { secret: true, subaccountId: true },
    });
    if (this.cache.size >= cachedMax) this.cache.clear();
    this.cache.set(key, { apiKey, untilMs: Date.now() + cachedMs });
    return apiKey;
  }
}
