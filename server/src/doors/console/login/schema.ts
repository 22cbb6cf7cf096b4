// Schemas of sign-in, set-up links and passkeys.

import Type, { type Static } from "typebox";
import { emailCharsMax } from "../../../platform/emails/index.ts";
import { input, optional, required } from "../../../platform/fields/index.ts";
import { Password, UserName } from "../../../tenants/users/index.ts";

const Token = Type.String({ minLength: 1, maxLength: 100 });
const Email = Type.String({ minLength: 3, maxLength: emailCharsMax });

export const Credentials = input({ email: required(Email), password: required(Password) });
export type Credentials = Static<typeof Credentials>;

/** The response of a browser's authenticator, in WebAuthn's JSON form. */
const Ceremony = Type.Object({ id: Type.String(), response: Type.Object({}) });

export const Assertion = input({ response: required(Ceremony) });
export type Assertion = Static<typeof Assertion>;

export const NewPasskey = input({
  response: required(Ceremony),
  name: required(UserName),
});

export const WhichPasskey = input({ id: required(Type.String({ maxLength: 36 })) });

export const PasskeyList = Type.Object({
  rows: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), created_at: Type.Number() }),
  ),
});
export type PasskeyList = Static<typeof PasskeyList>;

export const Link = input({ token: required(Token) });

export const SetUp = input({
  token: required(Token),
  name: required(UserName),
  email: required(Email),
  password: required(Password),
  confirms: optional(Email),
});

const { password: _, ...ofPasskey } = SetUp.properties;
/** Whom a new passkey is for. */
export const PasskeySetUpStart = input({
  token: ofPasskey.token,
  name: ofPasskey.name,
  email: ofPasskey.email,
});
export const PasskeySetUp = input({ ...ofPasskey, response: required(Ceremony) });

export const LoggedIn = Type.Object({ logged_in: Type.Boolean() });

export const InvitationFacts = Type.Object({
  email: Type.String({ description: "Empty: the user enters it" }),
  name: Type.String(),
  role: Type.String(),
  first_admin: Type.Union(
    [Type.Object({ name: Type.String(), email: Type.String(), at: Type.Number() }), Type.Null()],
    { description: "Whom the user of the second set-up link confirms" },
  ),
});
export type InvitationFacts = Static<typeof InvitationFacts>;

export const AuthOptions = Type.Object({
  password: Type.Boolean(),
  passkey: Type.Boolean(),
  oidc: Type.Union([Type.Object({ name: Type.String() }), Type.Null()]),
});
export type AuthOptions = Static<typeof AuthOptions>;

export const OidcStart = input({
  again: optional(
    Type.Boolean({ description: "Ask for a fresh sign-in even if the provider has a session" }),
  ),
});

export const Away = Type.Object({ url: Type.String() });
