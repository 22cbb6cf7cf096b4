// The commands of an API key over HTTP, and the scope that each needs: what the API has too.

import type { Scope } from "../../platform/base/index.ts";

export const commandsOfKeys: Readonly<Record<string, Scope>> = {
  ...of("read", [
    ...["accounts get", "accounts list", "events get", "events list", "ledger balance"],
    ...["ledger funding", "ledger statement", "payouts get", "payouts list"],
    ...["payouts template", "payouts validate", "receivers get", "receivers list", "completion"],
  ]),
  ...of("write", ["events recover", "events resend", "receivers import"]),
  ...of("bank_details", ["accounts import"]),
  ...of("payout", ["payouts cancel", "payouts create", "payouts import"]),
};

function of(scope: Scope, commands: readonly string[]): Record<string, Scope> {
  return Object.fromEntries(commands.map((command) => [command, scope]));
}
