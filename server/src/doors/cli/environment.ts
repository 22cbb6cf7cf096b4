// Environment variables of the person at the command line. The client reads some of these names; they are no service settings.

// DISBURSE_URL is the older name of DISBURSE_BASE_URL, which the client knows too.
type Name =
  | "DISBURSE_API_KEY"
  | "DISBURSE_API_SECRET"
  | "DISBURSE_URL"
  | "DISBURSE_BASE_URL"
  | "DISBURSE_OTHER_API_KEY"
  | "DISBURSE_OTHER_API_SECRET"
  | "DISBURSE_MOVE_SOURCE_URL"
  | "DISBURSE_MOVE_TARGET_URL"
  | "DISBURSE_SIMULATOR_PASSWORD"
  | "TARGET_DATABASE_URL";

/** An empty variable counts as not set. */
export function userEnv(name: Name): string | undefined {
  return process.env[name] || undefined;
}

/** The address of the service, if the user gives one. */
export function userBaseUrl(): string | undefined {
  return userEnv("DISBURSE_BASE_URL") ?? userEnv("DISBURSE_URL");
}

/** Several secrets are separated by spaces or commas. A space at the end stays part of the secret. */
export function userWebhookSecrets(): string[] {
  const secrets = (process.env.DISBURSE_WEBHOOK_SECRET ?? "").split(/[\s,]+(?=\S)/);
  return secrets.filter((secret) => secret.trim() !== "");
}
