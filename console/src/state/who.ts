// An actor as text: an email, the end of an API key, or a part of the service.

export function whoText(who: string): string {
  const [, kind, name = ""] = /^(operator|key|rail|provider):(.*)$/s.exec(who) ?? [];
  if (kind === "key") return `API key ${name.length > 14 ? `…${name.slice(-6)}` : name}`;
  if (kind === "operator") return name;
  // A bank connection is named by its id.
  if (kind === "rail") return name.startsWith("bank:") ? "Bank" : `Bank (${name})`;
  return kind === "provider" ? `Identity check (${name})` : who;
}
