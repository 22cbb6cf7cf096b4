// openapi.json is generated from the routes, and the client's types equal the schemas.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as Client from "@disburse/client";
import type { Static } from "typebox";
import { beforeAll, expect, expectTypeOf, test } from "vitest";
import type { FundingInstructions } from "../../../src/banking/connections/schema.ts";
import type * as Sandbox from "../../../src/doors/test-helpers/schema.ts";
import type * as Ledger from "../../../src/money/ledger/schema.ts";
import type { ValidatedPayout } from "../../../src/money/payouts/preview-schema.ts";
import type * as Payouts from "../../../src/money/payouts/schema.ts";
import type * as Accounts from "../../../src/people/accounts/schema.ts";
import type * as Privacy from "../../../src/people/privacy/schema.ts";
import type * as Receivers from "../../../src/people/receivers/schema.ts";
import type * as Catalogue from "../../../src/platform/event-catalogue/event-catalogue.ts";
import { eventTypes } from "../../../src/platform/event-catalogue/event-catalogue.ts";
import { type Code, refusals } from "../../../src/platform/refusals/refusals.ts";
import type * as Subaccounts from "../../../src/tenants/subaccounts/schema.ts";
import type * as Events from "../../../src/webhooks/events/schema.ts";
import type * as Objects from "../../../src/webhooks/webhook-endpoints/endpoint-schema.ts";
import type * as Endpoints from "../../../src/webhooks/webhook-endpoints/schema.ts";
import { service, useService } from "../../support/service-setup.ts";

type Json = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: a JSON document of any shape
let document: any;
await useService();
beforeAll(async () => {
  document = await (await fetch(`${service.baseUrl}/openapi.json`)).json();
});

test("openapi.json in the repository equals the served document (npm run generate writes it)", () => {
  const committed = readFileSync(
    join(import.meta.dirname, "..", "..", "..", "..", "openapi.json"),
    "utf8",
  );
  expect(JSON.parse(committed)).toEqual(document);
});

test("the document is OpenAPI 3.1 with every operation and every event", () => {
  expect(document.openapi).toBe("3.1.0");
  expect(
    Object.entries(document.paths)
      .filter(([path]) => path.startsWith("/api"))
      .flatMap(([path, methods]) => Object.keys(methods as object).map((m) => `${m} ${path}`))
      .sort(),
  ).toEqual([
    "delete /api/receiver/{id}",
    "delete /api/receiveraccount/{id}",
    "delete /api/webhook-endpoint/{id}",
    "get /api/balance",
    "get /api/balance/entries",
    "get /api/balance/funding",
    "get /api/balance/statement",
    "get /api/event",
    "get /api/event/feed",
    "get /api/event/{id}",
    "get /api/payout",
    "get /api/payout/batch/{id}",
    "get /api/payout/{id}",
    "get /api/payout/{id}/history",
    "get /api/receiver",
    "get /api/receiver/{id}",
    "get /api/receiver/{id}/history",
    "get /api/receiveraccount/receiver/{id}",
    "get /api/receiveraccount/schema",
    "get /api/receiveraccount/{id}",
    "get /api/subaccount",
    "get /api/subaccount/postback",
    "get /api/webhook-endpoint",
    "get /api/webhook-endpoint/source-addresses",
    "get /api/webhook-endpoint/{id}",
    "patch /api/receiver/{id}",
    "patch /api/receiveraccount/{id}",
    "patch /api/subaccount",
    "patch /api/webhook-endpoint/{id}",
    "post /api/event/recover",
    "post /api/event/test",
    "post /api/event/{id}/resend",
    "post /api/payout/batch",
    "post /api/payout/single",
    "post /api/payout/validate",
    "post /api/payout/{id}/cancel",
    "post /api/receiver",
    "post /api/receiver/{id}/erase",
    "post /api/receiver/{id}/kyc",
    "post /api/receiver/{id}/kyc-link",
    "post /api/receiveraccount",
    "post /api/receiveraccount/validate",
    "post /api/subaccount/postback-secret",
    "post /api/test-helpers/fund",
    "post /api/test-helpers/status",
    "post /api/webhook-endpoint",
    "post /api/webhook-endpoint/{id}/enable",
    "post /api/webhook-endpoint/{id}/fill",
    "post /api/webhook-endpoint/{id}/pause",
    "post /api/webhook-endpoint/{id}/rotate",
  ]);
  expect(Object.keys(document.webhooks)).toEqual(eventTypes);
  const failureEvent = document.components.schemas.PayoutFailure;
  expect(failureEvent.properties).toHaveProperty("subccount_id");
  expect(failureEvent.properties.timestamp.type).toBe("string");
  expect(document.components.schemas.PayoutCreated.properties.timestamp.type).toBe("integer");
});

test("every reference in the document resolves", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(10);
  for (const [, path] of references) {
    const target = path?.split("/").reduce((value, key) => value?.[key], document);
    expect(target, path).toBeDefined();
  }
});

test("each operation lists its errors, each code under its own status", () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    if (!path.startsWith("/api")) continue;
    for (const operation of Object.values(methods as Record<string, { responses: object }>)) {
      const responses = Object.entries(operation.responses) as [string, { description: string }][];
      expect(responses.length).toBeGreaterThan(4);
      for (const [status, { description }] of responses) {
        for (const [code] of description.matchAll(/\b[A-Z]{4}\d{3}\b/g)) {
          expect(refusals[code as Code][0], `${path} ${code}`).toBe(Number(status));
        }
      }
    }
  }
});

test("the document's table of codes has every code of its operations, and no code of the console", () => {
  const errors = document.tags.find(({ name }: { name: string }) => name === "Errors").description;
  const used = new Set(
    JSON.stringify(document.paths)
      .replaceAll("\\n", " ")
      .match(/\b[A-Z]{4}\d{3}\b/g),
  );
  expect(used.size).toBeGreaterThan(100);
  for (const [code, [status, text]] of Object.entries(refusals)) {
    const row = `| ${code} | ${status} | ${text} |`;
    if (used.has(code)) expect(errors).toContain(row);
    else expect(errors).not.toContain(row);
  }
  expect(errors).not.toMatch(/CONS\d/);
});

// biome-ignore lint/suspicious/noExplicitAny: as above
const operations = (): any[] =>
  Object.values(document.paths).flatMap((one) => Object.values(one as object));

test("the link header is documented for every list with a cursor, and for no other operation", () => {
  const paged = operations().filter(({ parameters = [] }) =>
    parameters.some(({ name }: { name: string }) => name === "cursor"),
  );
  expect(paged.map(({ operationId }) => operationId).sort()).toEqual([
    "getBalanceStatement",
    "listBalanceEntries",
    "listEvents",
    "listPayouts",
    "listReceiverHistory",
    "listReceivers",
  ]);
  for (const operation of operations()) {
    const { link } = operation.responses[200].headers;
    if (paged.includes(operation)) expect(link).toEqual({ $ref: "#/components/headers/Link" });
    else expect(link, operation.operationId).toBeUndefined();
    expect(operation.responses[200].headers).toHaveProperty("x-request-id");
  }
});

test("query parameters have their types, and every operation lists what any request can be refused with", () => {
  const schemasOf = (wanted: string) =>
    operations().flatMap(({ parameters = [] }) =>
      parameters.filter(({ name }: Json) => name === wanted).map(({ schema }: Json) => schema),
    );
  expect(schemasOf("limit")).toHaveLength(6);
  for (const limit of schemasOf("limit"))
    expect(limit).toMatchObject({ type: "integer", minimum: 1, maximum: 1000, default: 100 });
  const [status] = schemasOf("status");
  expect(status.enum).toEqual(
    ["0", "1", "2", "3", "4"].concat(["creating", "pending", "active", "inactive", "failed"]),
  );
  const [kycStatus] = schemasOf("kyc_status");
  expect(kycStatus.enum).toEqual(["0", "1", "2", "pending", "completed", "failed"]);
  for (const { responses, operationId } of operations()) {
    expect(Object.keys(responses), operationId).toEqual(
      expect.arrayContaining(["404", "405", "408", "431"]),
    );
    expect(responses[405].headers).toHaveProperty("allow");
  }
});

test("operations document their scopes, their content types and their other responses", () => {
  const byId = Object.fromEntries(operations().map((one) => [one.operationId, one]));
  expect(byId.healthz.security).toEqual([]);
  expect(byId.readyz.security).toEqual([]);
  expect(byId.getReceiver.security).toEqual([{ apiKey: [], signature: [] }]);
  expect(byId).not.toHaveProperty("hearKycReport");
  expect(byId.restartKyc.requestBody.required).toBe(false);
  expect(byId.createReceiver.requestBody.required).toBe(true);
  expect(Object.keys(byId.listBalanceEntries.responses[200].content)).toEqual([
    "application/json",
    "text/csv",
  ]);
  expect(Object.keys(byId.listPayouts.responses[200].content)).toEqual([
    "application/json",
    "text/csv",
  ]);
  expect(Object.keys(byId.getBalanceStatement.responses[200].content)).toEqual([
    "application/json",
    "text/csv",
    "application/pdf",
  ]);
  expect(byId.createPayout.responses[200].headers).toHaveProperty("idempotent-replayed");
  expect(byId.createPayout.responses[429].headers).toHaveProperty("retry-after");
  const { schemas } = document.components;
  expect(schemas.Balance.properties.available.type).toBe("integer");
  expect(schemas.NewReceiver.properties.gender.enum).toEqual(["M", "F", "X"]);
  expect(schemas.NewPayoutBatch.properties.payouts.items).toEqual({
    $ref: "#/components/schemas/NewPayout",
  });
  for (const { post } of Object.values(document.webhooks) as { post: { parameters: Json[] } }[]) {
    expect(post.parameters.map(({ name }) => name)).toEqual([
      "webhook-id",
      "webhook-timestamp",
      "webhook-signature",
    ]);
  }
});

/** States are string unions in the client, and plain strings in the schemas, as published. */
type Widened<T> = T extends string
  ? string
  : T extends object
    ? { [K in keyof T]: Widened<T[K]> }
    : T;

test("the client's types equal the server's schemas (checked by tsc)", () => {
  expectTypeOf<Widened<Client.Receiver>>().toEqualTypeOf<Receivers.Receiver>();
  expectTypeOf<Client.NewReceiver>().toEqualTypeOf<Receivers.NewReceiver>();
  expectTypeOf<Client.CreatedReceiver>().toEqualTypeOf<Receivers.CreatedReceiver>();
  expectTypeOf<Client.KycLink>().toEqualTypeOf<Receivers.KycLink>();
  expectTypeOf<Widened<Client.ReceiverChange>>().toEqualTypeOf<Receivers.ReceiverChange>();
  expectTypeOf<Client.DeletedReceiver>().toEqualTypeOf<Static<typeof Receivers.DeletedReceiver>>();
  expectTypeOf<Client.ErasedReceiver>().toEqualTypeOf<Privacy.ErasedReceiver>();
  expectTypeOf<Widened<Client.HistoryEntry>>().toEqualTypeOf<Receivers.HistoryEntry>();
  expectTypeOf<Widened<Client.TestStatus>>().toEqualTypeOf<Sandbox.TestStatus>();
  expectTypeOf<Client.TestStatusSet>().toEqualTypeOf<Static<typeof Sandbox.TestStatusSet>>();
  expectTypeOf<Client.NewReceiverAccount>().toEqualTypeOf<Accounts.NewReceiverAccount>();
  expectTypeOf<Client.ReceiverAccountChange>().toEqualTypeOf<Accounts.ReceiverAccountChange>();
  expectTypeOf<Client.ReceiverAccountToValidate>().toEqualTypeOf<Accounts.ReceiverAccountToValidate>();
  expectTypeOf<Client.CreatedReceiverAccount>().toEqualTypeOf<Accounts.CreatedReceiverAccount>();
  expectTypeOf<Client.DeletedReceiverAccount>().toEqualTypeOf<Accounts.DeletedReceiverAccount>();
  expectTypeOf<Client.ValidatedReceiverAccount>().toEqualTypeOf<Accounts.ValidatedReceiverAccount>();
  expectTypeOf<Widened<Client.ReceiverAccount>["bank_account_data"]>().toEqualTypeOf<
    Accounts.ReceiverAccount["bank_account_data"]
  >();
  expectTypeOf<keyof Client.ReceiverAccount>().toEqualTypeOf<keyof Accounts.ReceiverAccount>();
  expectTypeOf<Client.AccountData>().toEqualTypeOf<Static<typeof Accounts.AccountData>>();
  expectTypeOf<Client.Subaccount>().toEqualTypeOf<Subaccounts.Subaccount>();
  expectTypeOf<Widened<Client.SubaccountChange>>().toEqualTypeOf<Endpoints.SubaccountChange>();
  expectTypeOf<Client.ChangedSubaccount>().branded.toEqualTypeOf<Endpoints.ChangedSubaccount>();
  expectTypeOf<Client.SecretRotation>().toEqualTypeOf<Static<typeof Endpoints.SecretRotation>>();
  expectTypeOf<Client.RotatedSecret>().toEqualTypeOf<Endpoints.RotatedSecret>();
  expectTypeOf<Widened<Client.Postback>>().toEqualTypeOf<Endpoints.Postback>();
  expectTypeOf<Widened<Client.WebhookEndpoint>>().toEqualTypeOf<Objects.WebhookEndpoint>();
  expectTypeOf<
    Widened<Client.ChangedWebhookEndpoint>
  >().branded.toEqualTypeOf<Objects.ChangedEndpoint>();
  expectTypeOf<keyof Client.NewWebhookEndpoint>().toEqualTypeOf<keyof Objects.NewEndpoint>();
  expectTypeOf<keyof Client.WebhookEndpointChange>().toEqualTypeOf<keyof Objects.EndpointChange>();
  expectTypeOf<Client.WebhookEndpointUpdate>().toEqualTypeOf<Catalogue.WebhookEndpointUpdate>();
  expectTypeOf<Client.WebhookEndpointDisabled>().toEqualTypeOf<Catalogue.WebhookEndpointDisabled>();
  expectTypeOf<Widened<Omit<Client.EventRecord, "data">>>().toEqualTypeOf<
    Omit<Events.EventRecord, "data">
  >();
  expectTypeOf<Widened<Omit<Client.EventDetail, "data">>>().toEqualTypeOf<
    Omit<Events.EventDetail, "data">
  >();
  expectTypeOf<Client.EventRecord["data"]>().toEqualTypeOf<Events.EventRecord["data"]>();
  expectTypeOf<Client.EventDetail["data"]>().toEqualTypeOf<Events.EventDetail["data"]>();
  expectTypeOf<keyof Client.EventFilter>().toEqualTypeOf<keyof Events.EventFilter>();
  expectTypeOf<keyof Client.EventRecovery>().toEqualTypeOf<keyof Events.EventRecovery>();
  expectTypeOf<Client.StartedRecovery>().toEqualTypeOf<Events.StartedRecovery>();
  expectTypeOf<Widened<Client.TestEvent>>().toEqualTypeOf<Events.TestEvent>();
  expectTypeOf<Widened<Client.AnnouncedTestEvent>>().toEqualTypeOf<Events.AnnouncedTestEvent>();
  expectTypeOf<Client.NewPayout>().toEqualTypeOf<Omit<Payouts.NewPayout, "receiver_account_id">>();
  expectTypeOf<Client.CreatedPayout>().toEqualTypeOf<Static<typeof Payouts.CreatedPayout>>();
  expectTypeOf<Widened<Client.ValidatedPayout>>().toEqualTypeOf<Widened<ValidatedPayout>>();
  expectTypeOf<Client.CreatedPayoutBatch>().toEqualTypeOf<Payouts.CreatedPayoutBatch>();
  expectTypeOf<Client.PayoutBatch>().toEqualTypeOf<Payouts.PayoutBatch>();
  expectTypeOf<Widened<Client.Payout>>().toEqualTypeOf<Payouts.Payout>();
  expectTypeOf<Widened<Client.PayoutHistoryEntry>>().toEqualTypeOf<Payouts.PayoutHistoryEntry>();
  expectTypeOf<Client.Balance>().toEqualTypeOf<Static<typeof Ledger.Balance>>();
  expectTypeOf<Client.BalanceEntry>().toEqualTypeOf<Ledger.BalanceEntry>();
  expectTypeOf<Client.FundingInstructions>().toEqualTypeOf<FundingInstructions>();
  expectTypeOf<Client.TestFunding>().toEqualTypeOf<Sandbox.TestFunding>();
  expectTypeOf<keyof Client.PayoutFilter>().toEqualTypeOf<keyof Payouts.PayoutFilter>();
  expectTypeOf<Client.BalanceStatement>().toEqualTypeOf<Ledger.BalanceStatement>();
  expectTypeOf<keyof Client.BalanceStatementFilter>().toEqualTypeOf<
    Exclude<keyof Ledger.StatementFilter, "limit" | "cursor">
  >();
  expectTypeOf<keyof Client.BalanceEntryFilter>().toEqualTypeOf<keyof Ledger.EntryFilter>();
  expectTypeOf<Client.DisburseEvent["event"]>().toEqualTypeOf<
    keyof typeof Catalogue.eventSchemas
  >();
  expectTypeOf<Client.PayoutCreated>().toEqualTypeOf<Catalogue.PayoutCreated>();
  expectTypeOf<Client.PayoutUpdate>().toEqualTypeOf<Catalogue.PayoutUpdate>();
  expectTypeOf<Client.PayoutFailure>().toEqualTypeOf<Catalogue.PayoutFailure>();
  expectTypeOf<Client.ReceiverAccountUpdate>().toEqualTypeOf<Catalogue.ReceiverAccountUpdate>();
  expectTypeOf<Client.PayoutOnHold>().toEqualTypeOf<Catalogue.PayoutOnHold>();
  expectTypeOf<Client.PayoutReleased>().toEqualTypeOf<Catalogue.PayoutReleased>();
  expectTypeOf<Client.BalanceFunded>().toEqualTypeOf<Catalogue.BalanceFunded>();
  expectTypeOf<Client.ReceiverKycUpdate>().toEqualTypeOf<Catalogue.ReceiverKycUpdate>();
});
