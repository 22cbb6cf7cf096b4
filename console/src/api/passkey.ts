// Passkeys through the browser's API: options in as JSON, the signed response out as JSON.

import { get, send } from "./call.ts";

export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential?.parseRequestOptionsFromJSON === "function";
}

export function signInByPasskey(): Promise<void> {
  return prove("/auth/passkey/verify-authentication");
}

/** Confirms the identity of the signed-in user. */
export function confirmByPasskey(): Promise<void> {
  return prove("/step-up/passkey");
}

async function prove(path: string): Promise<void> {
  const options = await get<PublicKeyCredentialRequestOptionsJSON>(
    "/auth/passkey/generate-authenticate-options",
  );
  const credential = await navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
  });
  await send("POST", path, { response: jsonOf(credential) });
}

export async function addPasskey(name: string): Promise<void> {
  const options = await get<PublicKeyCredentialCreationOptionsJSON>(
    "/auth/passkey/generate-register-options",
  );
  const credential = await navigator.credentials.create({
    publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
  });
  await send("POST", "/auth/passkey/verify-registration", { response: jsonOf(credential), name });
}

/** Creates the account of a link with a passkey instead of a password. */
export async function setUpByPasskey(given: {
  token: string;
  name: string;
  email: string;
  confirms?: string;
}): Promise<void> {
  const { token, name, email } = given;
  const options = await send<PublicKeyCredentialCreationOptionsJSON>(
    "POST",
    "/set-up/passkey-options",
    { token, name, email },
  );
  const credential = await navigator.credentials.create({
    publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
  });
  await send("POST", "/set-up/passkey", { ...given, response: jsonOf(credential) });
}

function jsonOf(credential: Credential | null): object {
  if (!(credential instanceof PublicKeyCredential)) throw new Error("no passkey was chosen");
  return credential.toJSON();
}

/** The user closed the browser's dialog, or it timed out. Not an error. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof DOMException && ["NotAllowedError", "AbortError"].includes(error.name);
}
