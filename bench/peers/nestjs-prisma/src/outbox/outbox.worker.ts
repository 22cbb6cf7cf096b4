// Delivers events: claims the next ones as soon as there is room, and records each outcome by itself, so that one slow request
// delays no other, and a crash repeats only what was being sent. Slow endpoints can still fill all places.

import { setTimeout as sleep } from "node:timers/promises";
import { Injectable, Logger } from "@nestjs/common";
import { type ClaimedEvent, OutboxRepository } from "./outbox.repository.ts";
import { WebhookSender } from "./webhook-sender.ts";

const inFlightMax = 256;
const claimedMin = 64;
const pollMs = 200;
const retryMs = 5_000;
const retryMaxMs = 3_600_000;

@Injectable()
export class OutboxWorker {
  private readonly logger = new Logger("outbox");
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private inFlight = 0;
  private onRoom = () => {};

  constructor(
    private readonly outbox: OutboxRepository,
    private readonly sender: WebhookSender,
  ) {}

  start(): void {
    this.running = this.run();
  }

  /** Resolves when nothing is being sent any more. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.onRoom();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.roomFor(claimedMin);
      if (signal.aborted) break;
      const claimed = await this.claim();
      for (const event of claimed) void this.deliver(event);
      if (claimed.length === 0) await sleep(pollMs, undefined, { signal }).catch(() => {});
    }
    await this.roomFor(inFlightMax);
  }

  private async claim(): Promise<ClaimedEvent[]> {
    try {
      return await this.outbox.claim(inFlightMax - this.inFlight);
    } catch (error) {
      this.logger.error(error);
      return [];
    }
  }

  private async deliver(event: ClaimedEvent): Promise<void> {
    this.inFlight += 1;
    try {
      const status = await this.sender.send(event).catch(() => null);
      if (status !== null && status >= 200 && status < 300) {
        await this.outbox.recordDelivered(event.id, status);
      } else {
        await this.outbox.recordFailure(event.id, status, retryAt(event.attempts));
      }
    } catch (error) {
      // The lease ends by itself, and the event is sent again.
      this.logger.error(error);
    } finally {
      this.inFlight -= 1;
      this.onRoom();
    }
  }

  private async roomFor(count: number): Promise<void> {
    while (inFlightMax - this.inFlight < count) {
      await new Promise<void>((resolve) => {
        this.onRoom = resolve;
      });
    }
  }
}

/** Doubled after each attempt. */
function retryAt(attempts: number): Date {
  return new Date(Date.now() + Math.min(retryMs * 2 ** (attempts - 1), retryMaxMs));
}
