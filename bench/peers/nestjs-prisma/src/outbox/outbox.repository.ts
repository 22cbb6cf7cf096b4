// The statements of the outbox.

import { Injectable } from "@nestjs/common";
import { PrismaService } from "../database/prisma.service.ts";

export type ClaimedEvent = {
  id: string;
  body: string;
  attempts: number;
  webhook_url: string;
  webhook_secret: string;
};

/** An event whose process dies is claimed again after this time. */
const leaseSeconds = 60;

@Injectable()
export class OutboxRepository {
  constructor(private readonly prisma: PrismaService) {}

  /** Prisma has no SKIP LOCKED, so this one is SQL. Several workers may claim at the same time. */
  claim(count: number): Promise<ClaimedEvent[]> {
    return this.prisma.$queryRaw<ClaimedEvent[]>`
      with due as (
        select id from outbox_event
        where delivered_at is null and next_attempt_at <= now()
        order by next_attempt_at
        limit ${count}
        for update skip locked
      )
      update outbox_event e
      set next_attempt_at = now() + make_interval(secs => ${leaseSeconds}), attempts = e.attempts + 1
      from due, subaccount s
      where e.id = due.id and s.id = e.subaccount_id
      returning e.id, e.body, e.attempts, s.webhook_url, s.webhook_secret`;
  }

  async recordDelivered(id: string, lastStatus: number): Promise<void> {
    await this.prisma.outboxEvent.update({
      where: { id },
      data: { deliveredAt: new Date(), lastStatus },
      select: { id: true },
    });
  }

  async recordFailure(id: string, lastStatus: number | null, retryAt: Date): Promise<void> {
    await this.prisma.outboxEvent.update({
      where: { id },
      data: { nextAttemptAt: retryAt, lastStatus },
      select: { id: true },
    });
  }
}
