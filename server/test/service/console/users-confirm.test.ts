// When another admin can confirm a user whom one admin let in.

import { expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { acceptInvitation } from "../../../src/tenants/users/invitation.ts";
import { resetUser } from "../../../src/tenants/users/reset.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import type { Answer } from "../../support/service.ts";

const service = await closeAfterTests(startConsole());

const codeOf = ({ status, json }: Answer) => [status, json?.error?.[0]?.code];

test("CONS417: a user is not confirmed while a link could still make another person the user", async () => {
  const [maker, other] = [service.enter("admin"), service.enter("admin")];
  await Promise.all([maker.ready, other.ready]);
  const email = `linked-${newId()}@example.com`;
  const invited = await maker.post("/users/invite", { email, role: "operator" });
  const { id } = invited.json;
  const confirm = () => other.post(`/users/${id}/confirm`);
  const reset = () => maker.post(`/users/${id}/reset`);
  const open = ({ json }: Answer) => {
    const token = json.link.split("#")[1] as string;
    const chosen = { token, name: "Linked", email: "", password: "a long passphrase 7" };
    return acceptInvitation({ ...service, clock: Date.now }, chosen, {
      ip: "",
      requestId: newId(),
      isBrowserOf: () => false,
    });
  };
  const listed = async () =>
    (await other.get("/users")).json.rows.find((row: { id: string }) => row.id === id);
  expect(codeOf(await confirm())).toEqual([409, "CONS417"]);
  await open(invited);
  expect((await confirm()).status).toBe(204);

  // A link that has expired lets no one in.
  const expired = await reset();
  expect(codeOf(await confirm())).toEqual([409, "CONS417"]);
  await service.db.pool.query(
    "update invitation set expires_at = now() - interval '1 minute' where user_id = $1",
    [id],
  );
  expect((await confirm()).status).toBe(204);
  await expect(open(expired)).rejects.toThrow("CONS203");

  // As the version before confirms: the person who uses the link still counts as the admin who made it.
  const early = await reset();
  await service.db.pool.query("update user_vouch set confirmed_at_ms = 1 where user_id = $1", [id]);
  expect((await listed()).granted_by).toEqual([]);
  await open(early);
  expect((await listed()).granted_by).toEqual([maker.who]);
  expect((await confirm()).status).toBe(204);

  // A command that replaces the link is outside the rule.
  const parts = { db: service.db, seal: service.seal, clock: Date.now };
  const command = { kind: "command", who: "command:root", ip: "", requestId: newId() } as const;
  const { token } = await resetUser.perform(parts, { actor: command }, { id });
  await open({ ...invited, json: { link: `#${token}` } });
  expect((await listed()).granted_by).toEqual([]);
});
