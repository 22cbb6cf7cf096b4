// What other nouns use of api. The rest of this folder is private to it.

export { accountRoutes } from "./accounts/routes.ts";
export { keyCommandRoutes } from "./commands/routes.ts";
export { eventRoutes } from "./events/routes.ts";
export { fundingRoutes } from "./funding/routes.ts";
export { verificationRoutes } from "./kyc/routes.ts";
export { ledgerRoutes } from "./ledger/routes.ts";
export { payoutRoutes } from "./payouts/routes.ts";
export { privacyRoutes } from "./privacy/routes.ts";
export { receiverRoutes } from "./receivers/routes.ts";
export { subaccountRoutes } from "./subaccounts/routes.ts";
export { sandboxRoutes } from "./test-helpers/routes.ts";
export { webhookEndpointRoutes } from "./webhook-endpoints/endpoint-routes.ts";
export { endpointRoutes } from "./webhook-endpoints/routes.ts";
