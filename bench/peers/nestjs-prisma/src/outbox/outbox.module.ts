// Delivery of events.

import { Module } from "@nestjs/common";
import { OutboxRepository } from "./outbox.repository.ts";
import { OutboxWorker } from "./outbox.worker.ts";
import { WebhookSender } from "./webhook-sender.ts";

@Module({ providers: [OutboxRepository, OutboxWorker, WebhookSender] })
export class OutboxModule {}
