// The identity check of a subaccount: the sandbox in test mode, the configured provider in live mode.

import type { Config } from "../../platform/config/index.ts";
import { manualProvider } from "./manual.ts";
import type { KycProvider, ProviderName } from "./provider.ts";
import { sandboxProvider } from "./sandbox.ts";
import { sumsubProvider } from "./sumsub.ts";

export type KycProviders = { readonly test: KycProvider; readonly live: KycProvider };

export function kycProviders({
  provider,
  sandboxDelayMs,
  pollAfterMs,
  sumsub,
}: Config["kyc"]): KycProviders {
  return {
    test: sandboxProvider({ delayMs: sandboxDelayMs }),
    live: provider === "sumsub" ? sumsubProvider({ ...sumsub, pollAfterMs }) : manualProvider,
  };
}

export function providerNamed(providers: KycProviders, name: string): KycProvider | undefined {
  return Object.values(providers).find((provider) => provider.name === name);
}

/** Where a provider sends its reports about the applicants of a cell. */
export function kycWebhookPath(provider: string, cell: string): string {
  return `/webhooks/kyc/${provider}${cell === "" ? "" : `/${cell}`}`;
}

export function providerNames(providers: KycProviders): ProviderName[] {
  return [...new Set(Object.values(providers).map(({ name }) => name))];
}
