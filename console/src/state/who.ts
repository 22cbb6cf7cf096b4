// An actor as text: an email, a command, the end of an API key, or a part of the service.

const commandText = (user: string, claimed: string) =>
  claimed ? `${user} (command line, gave the name “${claimed}”)` : `${user} (command line)`;

export function whoText(who: string): string {
  const [, kind, name = ""] = /^(operator|command|key|rail|provider):(.*)$/s.exec(who) ?? [];
  if (kind === "key") return `API key ${name.length > 14 ? `…${name.slice(-6)}` : name}`;
  if (kind === "operator") return name;
  if (kind === "command") {
    const [user = "", ...claimed] = name.split(" as ");
    return commandText(user, claimed.join(" as "));
  }
  // A bank connection is named by its id.
  if (kind === "rail") return name.startsWith("bank:") ? "Bank" : `Bank (${name})`;
  return kind === "provider" ? `Identity check (${name})` : who;
}

/** "ana@example.com with token CI": a program did it in the name of a user. */
export function whoWithToken({ who, token }: { who: string; token: string | null }): string {
  return token === null ? whoText(who) : `${whoText(who)} with token ${token}`;
}
