// The secrets that an endpoint's events are signed with.

/** What a sealed secret is bound to. */
export function endpointSecretIdentity(subaccountId: string, id: string): string {
  return `endpoint_secret:${subaccountId}:${id}`;
}
