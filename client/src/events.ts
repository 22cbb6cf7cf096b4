// Events and the state of their delivery.

import type { CallOptions, Connection, WriteOptions } from "./connection.ts";
import type {
  AnnouncedTestEvent,
  EventDetail,
  EventFilter,
  EventRecord,
  EventRecovery,
  HeardEvent,
  StartedRecovery,
  TestEvent,
} from "./event-wire.ts";
import { type ListenOptions, listen } from "./feed.ts";
import { List, nextCursorOf } from "./list.ts";
import { pathOf } from "./path.ts";
import { millisecondsOf } from "./time.ts";

export class Events {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Newest first. Nothing is fetched before the list is iterated or asked for a page. */
  list(filter: EventFilter = {}, options?: CallOptions): List<EventRecord> {
    const { type, status, payout_id, receiver_id } = filter;
    const from = millisecondsOf(filter.from);
    const to = millisecondsOf(filter.to);
    const limit = filter.limit?.toString();
    return new List(filter.cursor, async (cursor) => {
      const query = { type, status, payout_id, receiver_id, from, to, limit, cursor };
      const answer = await this.#connection.get<EventRecord[]>("/api/event", options, query);
      return { items: answer.payload, nextCursor: nextCursorOf(answer.headers) };
    });
  }

  /** With every attempt to deliver it. EVNT101 (`NotFoundError`) when there is no such event. */
  async get(id: string, options?: CallOptions): Promise<EventDetail> {
    const path = pathOf("/api/event", id);
    return (await this.#connection.get<EventDetail>(path, options)).payload;
  }

  /** Sends it again, to all webhook endpoints or to one. EVNT101 (`NotFoundError`) when there is no such event. */
  async resend(
    id: string,
    { endpoint_id, ...options }: WriteOptions & { endpoint_id?: string } = {},
  ): Promise<EventRecord> {
    const path = `${pathOf("/api/event", id)}/resend`;
    return (await this.#connection.post<EventRecord>(path, { endpoint_id }, options)).payload;
  }

  /**
   * Sends all undelivered events of a time range again, in the background. EVNT301 (`ConflictError`) when
   * there is no webhook endpoint.
   */
  async recover(recovery: EventRecovery, options?: WriteOptions): Promise<StartedRecovery> {
    const since = millisecondsOf(recovery.since);
    const until = millisecondsOf(recovery.until);
    const body = { ...recovery, since, until };
    return (await this.#connection.post<StartedRecovery>("/api/event/recover", body, options))
      .payload;
  }

  /** Sends a test event. */
  async test(event: TestEvent = {}, options?: WriteOptions): Promise<AnnouncedTestEvent> {
    return (await this.#connection.post<AnnouncedTestEvent>("/api/event/test", event, options))
      .payload;
  }

  /**
   * Events as they happen, without end. It reconnects after a failure and continues where it was.
   * Ends when the loop is left, or with the signal's reason when that is aborted.
   */
  listen(options: ListenOptions = {}): AsyncGenerator<HeardEvent, void, undefined> {
    return listen(this.#connection, options);
  }
}
