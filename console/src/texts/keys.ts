// Shared texts of the screens below keys/.

export const keysTexts = {
  createApiKey: "Create API key",
  name: "Name",
  permissions: "Permissions",
  allowedIpAddresses: "Allowed IP addresses",
  apiKeys: "API keys",
  never: "Never",
} as const;
