// Posts one event, signed as Standard Webhooks asks, over kept-alive connections.

import { createHmac } from "node:crypto";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";
import { Agent, request } from "undici";
import type { ClaimedEvent } from "./outbox.repository.ts";

const timeoutMs = 15_000;
const connectionsPerHost = 256;

@Injectable()
export class WebhookSender implements OnModuleDestroy {
  private readonly agent = new Agent({
    connections: connectionsPerHost,
    connect: { timeout: 3_000 },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });

  /** The status of the response. */
  async send({ id, body, attempts, webhook_url, webhook_secret }: ClaimedEvent): Promise<number> {
    const webhookId = `evt_${id}`;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const secret = Buffer.from(webhook_secret.slice("whsec_".length), "base64");
    const signed = createHmac("sha256", secret).update(`${webhookId}.${timestamp}.${body}`);
    const response = await request(webhook_url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "peer",
        "webhook-id": webhookId,
        "webhook-timestamp": timestamp,
        "webhook-signature": `v1,${signed.digest("base64")}`,
        "webhook-attempt": String(attempts),
      },
      body,
      dispatcher: this.agent,
    });
    await response.body.dump();
    return response.statusCode;
  }

  async onModuleDestroy(): Promise<void> {
    await this.agent.close();
  }
}
