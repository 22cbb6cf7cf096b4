// An actor as text: an email, a command, the end of an API key, or a part of the service.

import { stateTexts } from "../texts/state.ts";

export function whoText(who: string): string {
  const [, kind, name = ""] = /^(operator|command|key|rail|provider):(.*)$/s.exec(who) ?? [];
  if (kind === "key") return stateTexts.apiKey(name.length > 14 ? `…${name.slice(-6)}` : name);
  if (kind === "operator") return name;
  if (kind === "command") {
    const [user = "", ...claimed] = name.split(" as ");
    return stateTexts.command(user, claimed.join(" as "));
  }
  // A bank connection is named by its id.
  if (kind === "rail")
    return name.startsWith("bank:") ? stateTexts.bank : stateTexts.bankNamed(name);
  return kind === "provider" ? stateTexts.identityCheckBy(name) : who;
}
