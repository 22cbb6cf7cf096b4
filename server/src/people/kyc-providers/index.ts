// What other nouns use of kyc-providers. The rest of this folder is private to it.

export { manualProvider } from "./manual.ts";
export {
  type Applicant,
  ApplicantRefused,
  isRemote,
  type KycProvider,
  type PersonLink,
  type ProviderDecision,
  type ProviderName,
  type RemoteProvider,
  type Report,
} from "./provider.ts";
export {
  type KycProviders,
  kycProviders,
  kycWebhookPath,
  providerNamed,
  providerNames,
} from "./providers.ts";
export { sandboxProvider } from "./sandbox.ts";
