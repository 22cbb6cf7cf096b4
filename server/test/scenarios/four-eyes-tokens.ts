// What one user can try with programs: operator tokens, the command line of a user or of an API key, and commands over HTTP.
// A program that they get is one more user for all other acts.

import { signatureOf } from "../../../packages/command-line/src/signature.ts";
import { newId } from "../../src/platform/base/ids.ts";
import { type Role, roles } from "../../src/tenants/roles/user.ts";
import { type Call, calling, pick } from "./four-eyes-calls.ts";
import { threshold } from "./four-eyes-check.ts";

const dayMs = 24 * 3_600_000;

type User = { id: string; role: Role; call: Call };
type World = {
  subaccountId: string;
  payees: readonly { receiver_id: string; account_id: string }[];
  users: User[];
  keys: readonly { api_key: string; api_secret: string }[];
  honestAdmin: User;
  random: () => number;
};

export function tokenActs(
  { baseUrl }: { baseUrl: string },
  world: World,
): Record<string, () => Promise<boolean>> {
  const { subaccountId, random, honestAdmin } = world;
  const user = () => pick(world.users, random);
  const under = `${baseUrl}/operator/v1`;
  const open = calling(under, {});
  const programs: User[] = [];
  const keep = ({ id, role }: User, token: string) => {
    const program = { id, role, call: calling(under, { authorization: `Bearer ${token}` }) };
    programs.push(program);
    world.users.push(program);
  };
  /** Tokens of this sequence are named after its subaccount. */
  const approve = async (by: readonly User[]) => {
    let done = false;
    for (const one of by) {
      const { json } = await one.call("GET", "/tokens");
      const rows = (json?.rows ?? []) as { id: string; name: string; status: string }[];
      const own = rows.filter(({ name }) => name.startsWith(subaccountId));
      for (const { id } of own.filter(({ status }) => status === "waiting")) {
        done = (await one.call("POST", `/tokens/${id}/approve`)).status < 300 || done;
      }
    }
    return done;
  };
  const runCommand = async (given: readonly string[], files?: Record<string, string>) => {
    if (programs.length === 0) return false;
    const words = [...given, "--subaccount", subaccountId];
    const { status, json } = await pick(programs, random).call("POST", "/commands", {
      ...{ words, ...(files && { files }) },
    });
    return status < 300 && json?.exit_code === 0;
  };
  const runByKey = async (words: readonly string[], files?: Record<string, string>) => {
    if (world.keys.length === 0) return false;
    const key = pick(world.keys, random);
    const [method, path, given] = ["POST", "/api/commands", { words, ...(files && { files }) }];
    const signature = signatureOf(key, { method, path, body: JSON.stringify(given) });
    const call = calling(baseUrl, { "x-api-key": key.api_key, signature });
    const { status, json } = await call(method, path, given);
    return status < 300 && json?.exit_code === 0;
  };
  const payment = () => {
    const { receiver_id, account_id } = pick(world.payees, random);
    const amount = pick([threshold / 2, threshold + 1, 10 * threshold], random);
    return { receiver_id, account_id, amount: (amount / 100).toFixed(2) };
  };
  const paying = () => {
    const { receiver_id, account_id, amount } = payment();
    return [
      ...["payouts", "create", "--receiver", receiver_id, "--account", account_id],
      ...["--amount", amount, "--currency", "AUD", "--reference", newId()],
    ];
  };
  const importing = ["payouts", "import", "pay.csv", "--yes"];
  const fileOfPayments = () => {
    const rows = Array.from({ length: 3 }, payment).map(
      (row) => `${row.receiver_id},${row.account_id},${row.amount},AUD,${newId()}\n`,
    );
    const csv = `receiver_id,account_id,amount,currency,reference\n${rows.join("")}`;
    return { "pay.csv": Buffer.from(csv).toString("base64") };
  };

  const fileOfAccounts = () => {
    const { receiver_id } = pick(world.payees, random);
    const csv = `receiver_id,account_type,bsb,account_number\n${receiver_id},I,062000,12345771\n`;
    return { "accounts.csv": Buffer.from(csv).toString("base64") };
  };

  return {
    "make a token": async () => {
      const maker = user();
      const some = random() < 0.5 && { subaccount_ids: [subaccountId] };
      const { status, json } = await maker.call("POST", "/tokens", {
        ...{ name: `${subaccountId} ${newId()}`, role: pick(roles, random), ...some },
        expires_at: Date.now() + dayMs,
      });
      if (status >= 300) return false;
      keep(maker, String(json?.token));
      return true;
    },
    "approve tokens": () => approve(world.users),
    "approve tokens as an honest admin": () => approve([honestAdmin]),
    "sign in a command line": async () => {
      const owner = user();
      const asked = await open("POST", "/login", { client: "laptop" });
      const { code, device_code } = asked.json as { code: string; device_code: string };
      const confirmed = await owner.call("POST", "/command-line/confirm", { code });
      if (confirmed.status >= 300) return false;
      const { json } = await open("POST", "/login/token", { device_code });
      keep(owner, String(json?.token));
      return true;
    },
    "pay by a command": () => runCommand(paying()),
    "pay from a file by a command": () => runCommand(importing, fileOfPayments()),
    "pay by a command of a key": () => runByKey(paying()),
    "pay from a file by a command of a key": () => runByKey(importing, fileOfPayments()),
    "add an account from a file by a command": () =>
      runCommand(["accounts", "import", "accounts.csv", "--yes"], fileOfAccounts()),
    "make a key by a command": () =>
      runCommand(["keys", "create", "--name", "mine", "--scopes", "read,write,payout"]),
    "loosen limits by a command": () =>
      runCommand(["ledger", "limit", "--currency", "AUD", "--approval-above", "1000000.00"]),
    "fund by a command": () =>
      runCommand([
        ...["ledger", "fund", "--currency", "AUD", "--amount", "1000000.00"],
        ...["--reference", newId()],
      ]),
  };
}
