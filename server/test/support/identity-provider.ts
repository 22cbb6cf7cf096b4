// An OIDC identity provider on a real socket: discovery, sign-in page, tokens signed by its key.

import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Claims = Record<string, unknown>;

/** `who` sets the claims of the next user, and how the provider misbehaves. */
export type Provider = Awaited<ReturnType<typeof startProvider>>;

const client = { id: "disburse", secret: "a secret of the client" };

export async function startProvider() {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const who: { claims: Claims; signsFalsely?: boolean } = { claims: {} };
  const codes = new Map<string, URLSearchParams>();
  /** The received requests, as proof of what was sent. */
  const asked: URLSearchParams[] = [];
  let issuer = "";

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    const json = (body: object, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (url.pathname === "/.well-known/openid-configuration") {
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        id_token_signing_alg_values_supported: ["RS256"],
      });
    }
    if (url.pathname === "/keys") {
      const key = { ...publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" };
      return json({ keys: [key] });
    }
    // Every user is already signed in here, and is redirected back at once.
    if (url.pathname === "/authorize") {
      const code = randomUUID();
      codes.set(code, url.searchParams);
      asked.push(url.searchParams);
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      back.search = `${new URLSearchParams({ code, state: url.searchParams.get("state") ?? "", iss: issuer })}`;
      return response.writeHead(302, { location: back.href }).end();
    }
    if (url.pathname === "/token") {
      let text = "";
      for await (const chunk of request) text += chunk;
      const form = new URLSearchParams(text);
      const begun = codes.get(form.get("code") ?? "");
      codes.delete(form.get("code") ?? "");
      const isProven =
        form.get("client_secret") === client.secret &&
        challengeOf(form.get("code_verifier") ?? "") === begun?.get("code_challenge");
      if (!begun || !isProven) return json({ error: "invalid_grant" }, 400);
      return json({ access_token: randomUUID(), token_type: "Bearer", id_token: token(begun) });
    }
    return json({}, 404);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function token(begun: URLSearchParams): string {
    const nowS = Math.floor(Date.now() / 1000);
    const claims = {
      ...{ iss: issuer, aud: client.id, iat: nowS, exp: nowS + 60 },
      nonce: begun.get("nonce"),
      ...who.claims,
    };
    const text = [{ alg: "RS256", kid: "1" }, claims].map(base64).join(".");
    const key = who.signsFalsely ? stranger : privateKey;
    return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
  }

  return {
    who,
    asked,
    settings: { issuer, clientId: client.id, clientSecret: client.secret, name: "Example SSO" },
    close: () => server.close(),
  };
}

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");
