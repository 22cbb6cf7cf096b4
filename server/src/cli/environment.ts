// What a person has set for themselves, under names that the client knows too. No part of the configuration.

// DISBURSE_URL is the older name of DISBURSE_BASE_URL, which the client knows too.
type Name = "DISBURSE_API_KEY" | "DISBURSE_API_SECRET" | "DISBURSE_URL" | "DISBURSE_BASE_URL";

/** Set to nothing is not set. */
export function userEnv(name: Name): string | undefined {
  return process.env[name] || undefined;
}

/** Several are parted by spaces or commas. Space at the end stays, as it would in most programs. */
export function userWebhookSecrets(): string[] {
  const secrets = (process.env.DISBURSE_WEBHOOK_SECRET ?? "").split(/[\s,]+(?=\S)/);
  return secrets.filter((secret) => secret.trim() !== "");
}
