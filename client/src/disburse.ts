// The client: one connection, and an object for each kind of resource.

import { CurrentBalance } from "./balance.ts";
import { Connection } from "./connection.ts";
import { Events } from "./events.ts";
import { type DisburseOptions, readOptions } from "./options.ts";
import { Payouts } from "./payouts.ts";
import { ReceiverAccounts } from "./receiver-accounts.ts";
import { Receivers } from "./receivers.ts";
import { CurrentSubaccount } from "./subaccount.ts";
import { TestHelpers } from "./test-helpers.ts";
import { WebhookEndpoints } from "./webhook-endpoints.ts";
import { webhooks } from "./webhooks.ts";

export class Disburse {
  readonly receivers: Receivers;
  readonly receiverAccounts: ReceiverAccounts;
  readonly payouts: Payouts;
  readonly balance: CurrentBalance;
  readonly events: Events;
  readonly subaccount: CurrentSubaccount;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly testHelpers: TestHelpers;
  /** Needs no key: `import { webhooks }` gives the same without a client. */
  readonly webhooks: typeof webhooks = webhooks;

  constructor(options: DisburseOptions = {}) {
    const connection = new Connection(readOptions(options));
    this.receivers = new Receivers(connection);
    this.receiverAccounts = new ReceiverAccounts(connection);
    this.payouts = new Payouts(connection);
    this.balance = new CurrentBalance(connection);
    this.events = new Events(connection);
    this.subaccount = new CurrentSubaccount(connection);
    this.webhookEndpoints = new WebhookEndpoints(connection);
    this.testHelpers = new TestHelpers(connection);
  }
}
