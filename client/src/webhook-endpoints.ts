// Webhook endpoints: where the events of the subaccount are sent.

import type { CallOptions, Connection, WriteOptions } from "./connection.ts";
import type {
  ChangedWebhookEndpoint,
  NewWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointFill,
} from "./endpoint-wire.ts";
import type { SecretRotation, StartedRecovery } from "./event-wire.ts";
import { pathOf } from "./path.ts";
import { millisecondsOf } from "./time.ts";

const root = "/api/webhook-endpoint";

export class WebhookEndpoints {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** That of `postback_url` first, then the oldest. */
  async list(options?: CallOptions): Promise<WebhookEndpoint[]> {
    return (await this.#connection.get<WebhookEndpoint[]>(root, options)).payload;
  }

  /** ENDP101 (`NotFoundError`) when there is no such webhook endpoint. */
  async get(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return (await this.#connection.get<WebhookEndpoint>(pathOf(root, id), options)).payload;
  }

  /** With the secret that verifies its events, shown once. ENDP301 (`ConflictError`) when there are ten. */
  async create(
    endpoint: NewWebhookEndpoint,
    options?: WriteOptions,
  ): Promise<ChangedWebhookEndpoint> {
    return (await this.#connection.post<ChangedWebhookEndpoint>(root, endpoint, options)).payload;
  }

  /** Only the given fields change. A `url`, even the same one, enables it. */
  async update(
    id: string,
    change: WebhookEndpointChange,
    options?: CallOptions,
  ): Promise<WebhookEndpoint> {
    const path = pathOf(root, id);
    return (await this.#connection.patch<WebhookEndpoint>(path, change, options)).payload;
  }

  /** Events that wait for it are not sent. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#connection.delete(pathOf(root, id), options);
  }

  /** Rotates its secret. The previous secrets stay valid for the overlap. */
  async rotate(
    id: string,
    rotation: SecretRotation = {},
    options?: WriteOptions,
  ): Promise<ChangedWebhookEndpoint> {
    const path = `${pathOf(root, id)}/rotate`;
    return (await this.#connection.post<ChangedWebhookEndpoint>(path, rotation, options)).payload;
  }

  /** Its events wait until it is enabled. */
  async pause(id: string, options?: WriteOptions): Promise<WebhookEndpoint> {
    const path = `${pathOf(root, id)}/pause`;
    return (await this.#connection.post<WebhookEndpoint>(path, {}, options)).payload;
  }

  /** Also when it is disabled. Its waiting events are sent. */
  async enable(id: string, options?: WriteOptions): Promise<WebhookEndpoint> {
    const path = `${pathOf(root, id)}/enable`;
    return (await this.#connection.post<WebhookEndpoint>(path, {}, options)).payload;
  }

  /** Sends it the events of its types from before it, in the background. */
  async fill(
    id: string,
    { since }: WebhookEndpointFill = {},
    options?: WriteOptions,
  ): Promise<StartedRecovery> {
    const path = `${pathOf(root, id)}/fill`;
    const body = { since: millisecondsOf(since) };
    return (await this.#connection.post<StartedRecovery>(path, body, options)).payload;
  }

  /** The IP addresses and CIDR ranges that events are sent from, for a firewall. */
  async sourceAddresses(options?: CallOptions): Promise<string[]> {
    const path = `${root}/source-addresses`;
    return (await this.#connection.get<{ addresses: string[] }>(path, options)).payload.addresses;
  }
}
