// Subaccounts, webhook endpoints, keys, users and events.

import { type People, type Story, type Subaccounts, unknownId } from "./command-story-parts.ts";

export async function tenantSteps(story: Story): Promise<Subaccounts> {
  const subaccounts = await subaccountSteps(story);
  await webhookSteps(story, subaccounts.test);
  await endpointSteps(story, subaccounts.test);
  await keySteps(story, subaccounts);
  await userSteps(story, subaccounts.test);
  await eventSteps(story, subaccounts.test);
  return subaccounts;
}

async function subaccountSteps({ step }: Story): Promise<Subaccounts> {
  const create = (...words: string[]) => step("subaccount", "create", ...words);
  await create("--mode", "test");
  await create("--name", "Acme");
  await create("--name", "Acme", "--mode", "production");
  await create("--name", "", "--mode", "test");
  await create("--name", "Acme", "--mode", "test", "--email", "nobody", "--dob", "1");
  await create("--name", "Acme", "--mode", "test", "--postback-url", "ftp://example.com/");
  const test = (await create("--name", "Acme", "--mode", "test", "--by", "ana"))("subaccount_id");
  const contact = ["--email", "ada@example.com", "--country", "AUS", "--business-name", "Acme Ltd"];
  const hook = ["--postback-url", "http://127.0.0.1:9/hook"];
  const live = (await create("--name", "Live", "--mode", "live", ...contact, ...hook))(
    "subaccount_id",
  );
  const short = (await create("--name", "Short", "--mode", "test"))("subaccount_id");

  const name = (...words: string[]) => step("subaccount", "set-statement-name", ...words);
  await name(test, "ACME PAYROLL", "--by", "ana");
  await name(test, "");
  await name(test, "x".repeat(200));
  await name(test);
  await name(unknownId, "ACME");

  const close = (...words: string[]) => step("subaccount", "close", ...words);
  await close(short, "--by", "ana");
  await close(short);
  await close(unknownId);
  await close("x");
  await close();
  await name(short, "ACME");
  await step("subaccount", "purge", test);
  await step("subaccount", "move", test);
  return { test, live };
}

async function webhookSteps({ step }: Story, test: string): Promise<void> {
  const of = (name: string, ...words: string[]) => step("subaccount", name, ...words);
  await of("rotate-postback-secret", test);
  await of("set-postback", test, "ftp://example.com/");
  await of("set-postback", test, "http://10.0.0.1/");
  await of("set-postback", test);
  await of("set-postback", unknownId, "http://127.0.0.1:9/hook");
  await of("set-postback", test, "http://127.0.0.1:9/hook", "--by", "ana");
  await of("set-postback", test, "http://127.0.0.1:9/hook");
  await of("set-postback", test, "http://127.0.0.1:9/other");
  await of("rotate-postback-secret", test, "--overlap", "1h", "--by", "ana");
  await of("rotate-postback-secret", test);
  await of("rotate-postback-secret", test, "--overlap", "9d");
  await of("rotate-postback-secret", unknownId);
  await of("set-event-types", test, "balanceFunded", "payoutOnHold", "--by", "ana");
  await of("set-event-types", test, "balanceFunded", "payoutOnHold");
  await of("set-event-types", test, "nothingHappened");
  await of("set-event-types", unknownId, "balanceFunded");
  await of("set-event-types", test);
}

async function endpointSteps({ step }: Story, test: string): Promise<void> {
  const of = (name: string, ...words: string[]) =>
    step("endpoints", name, ...words, "--subaccount", test);
  const url = ["--url", "http://127.0.0.1:9/books"];
  await of("create", ...url);
  await of("create", ...url, "--event-types", "nothingHappened");
  await of("create", "--url", "ftp://example.com/", "--event-types", "payoutUpdate");
  await of("create", ...url, "--event-types", "payoutUpdate", "--header", "host: example.com");
  const types = ["--event-types", "payoutUpdate", "payoutFailure", "--header", "x-team: books"];
  const id = (await of("create", ...url, ...types, "--by", "ana"))("id");
  await of("change", id, "--description", "books", "--disable-after-days", "5");
  await of("change", id);
  await of("change", unknownId, "--description", "books");
  await of("pause", id);
  await of("pause", id);
  await of("enable", id);
  await of("rotate", id, "--overlap", "1h");
  await of("fill", id, "--since", "2h");
  await of("fill", id, "--since", "90d");
  await of("delete", id);
  await of("delete", id);
}

async function keySteps({ step }: Story, { test, live }: Subaccounts): Promise<void> {
  const create = (...words: string[]) => step("keys", "create", ...words);
  await create("--name", "none");
  await create("--subaccount", unknownId);
  await create("--subaccount", test, "--scopes", "read,everything");
  await create("--subaccount", test, "--addresses", "here");
  await create("--subaccount", test, "--expires", "2001-01-01");
  const limits = ["--addresses", "203.0.113.0/24", "--expires", "2099-01-31", "--version2-only"];
  const key = (
    await create("--subaccount", test, "--scopes", "read,payout", ...limits, "--by", "ana")
  )("api_key");
  await create("--subaccount", live, "--name", "live key");
  await create("--subaccount", live, "--name", "reader", "--scopes", "read");
  await step("keys", "rename", key, "payroll", "--by", "ana");
  await step("keys", "rename", key);
  await step("keys", "rename", "ak_test_unknown", "payroll");
  await step("keys", "rotate", key, "--grace", "2h", "--by", "ana");
  await step("keys", "rotate", key);
  await step("keys", "rotate", key, "--grace", "soon");
  await step("keys", "rotate", "ak_test_unknown");
  await step("keys", "rotate");
  await step("keys", "revoke", key, "--by", "ana");
  await step("keys", "revoke", key);
  await step("keys", "rotate", key);
  await step("keys", "revoke", "ak_test_unknown");
  await step("keys", "revoke", key, "--subaccount", live);
}

async function userSteps({ step, sql }: Story, test: string): Promise<void> {
  const invite = (...words: string[]) => step("users", "invite", ...words);
  await step("users", "setup-link");
  await invite("--email", "ada@example.com");
  await invite("--role", "admin");
  await invite("--email", "nobody", "--role", "admin");
  await invite("--email", "ada@example.com", "--role", "king");
  await invite("--email", "dev@example.com", "--role", "developer");
  await invite("--email", "ada@example.com", "--role", "finance", "--subaccount", test);
  await invite("--email", "dev@example.com", "--role", "developer", "--subaccount", unknownId);
  await invite("--email", "Ada@example.com", "--role", "admin", "--name", "Ada", "--by", "ana");
  await invite("--email", "ada@example.com", "--role", "admin");
  await invite("--email", "dev@example.com", "--role", "developer", "--subaccount", test);
  await step("users", "setup-link");
  await step("users", "reset", "ada@example.com", "--by", "ana");
  await step("users", "reset", "nobody@example.com");
  await step("users", "reset");
  await step("users", "disable", "dev@example.com", "--by", "ana");
  await step("users", "disable", "dev@example.com");
  await step("users", "reset", "dev@example.com");
  await step("users", "disable", "dev@example.com", "--undo");
  await step("users", "disable", "ada@example.com");
  await step("users", "disable", "nobody@example.com");
  await step("users", "confirm", "ada@example.com");
  await step("users", "confirm", "nobody@example.com");
  await sql(
    `insert into user_vouch (user_id, voucher, at_ms)
     select id, 'operator:one@example.com', 1 from console_user where email = 'dev@example.com'`,
  );
  await step("users", "confirm", "dev@example.com");
  // The user has used the link.
  await sql("delete from invitation");
  await step("users", "confirm", "dev@example.com", "--by", "ana");
  await step("users", "confirm", "dev@example.com");
  await sql(
    `insert into user_session (id, user_id, token, expires_at, seen_at)
     select gen_random_uuid(), id, gen_random_uuid()::text, now() + interval '1 hour', now()
     from console_user where email = 'ada@example.com'`,
  );
  await step("users", "end-sessions", "--by", "ana");
  await step("users", "end-sessions");
}

async function eventSteps({ step }: Story, test: string): Promise<void> {
  const inTest = ["--subaccount", test];
  const trigger = (...words: string[]) => step("events", "trigger", ...words);
  const id = (await trigger("payoutFailure", ...inTest, "--set", "amount=500", "--by", "ana"))(
    "id",
  );
  await trigger("payoutFailure", ...inTest, "--set", "amount=many", "--set", "nonsense=1");
  await trigger("nothing", ...inTest);
  await trigger("payoutFailure", ...inTest, "--set", "amount");
  await trigger("payoutFailure");
  await trigger(...inTest);
  await step("events", "resend", id, "--by", "ana");
  await step("events", "resend", id);
  await step("events", "resend", `evt_${unknownId}`);
  await step("events", "resend", "x");
  await step("events", "resend");
  const recover = (...words: string[]) => step("events", "recover", ...inTest, ...words);
  await recover("--since", "2h", "--by", "ana");
  await recover("--since", "2026-01-01", "--until", "1767225600001", "--include-delivered");
  await recover("--since", "1m", "--until", "1h");
  await recover("--since", "soon");
  await recover();
  await step("events", "recover", "--since", "2h", "--subaccount", unknownId);
}

/** A closed subaccount takes nothing new, but what it has can still end. */
export async function closedSteps({ step, ask }: Story, { test }: Subaccounts, { payee }: People) {
  const inClosed = ["--subaccount", test];
  const [event] = (await ask("events", "list", ...inClosed)).events;
  const [payout] = (await ask("payouts", "list", "--status", "pending", ...inClosed)).payouts;
  await step("subaccount", "close", test, "--by", "ana");
  await step("subaccount", "set-statement-name", test, "ACME");
  await step("subaccount", "set-postback", test, "http://127.0.0.1:9/closed");
  await step("subaccount", "set-event-types", test, "balanceFunded");
  await step("subaccount", "rotate-postback-secret", test);
  await step("keys", "create", ...inClosed);
  await step("events", "trigger", "payoutFailure", ...inClosed);
  await step("events", "resend", event.id);
  await step("events", "recover", "--since", "2h", ...inClosed);
  await step("receivers", "create", "--first-name", "Ada", ...inClosed);
  await step("receivers", "disable", payee.receiver);
  await step("receivers", "enable", payee.receiver);
  await step("receivers", "kyc-link", payee.receiver);
  await step("receivers", "kyc", "reject", payee.receiver, "--reason", "late", "--final");
  await step("accounts", "check-name", payee.account);
  const money = ["--amount", "5.00", "--currency", "AUD"];
  await step("ledger", "fund", ...money, "--reference", "late", ...inClosed);
  await step("ledger", "limit", "--currency", "AUD", "--per-payout", "5", ...inClosed);
  const to = ["--receiver", payee.receiver, "--account", payee.account];
  await step("payouts", "create", ...to, ...money, ...inClosed);
  await step("payouts", "release", payout.id, "--reason", "late");
  await step("payouts", "refuse", payout.id, "--reason", "late");
  await step("payouts", "cancel", payout.id);
}
