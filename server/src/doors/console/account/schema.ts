// How a user signs in: password, passkeys and sessions.

import Type, { type Static } from "typebox";
import { input, required } from "../../../platform/fields/index.ts";

export const StepUpWays = Type.Object({
  password: Type.Boolean(),
  passkey: Type.Boolean(),
  oidc: Type.Union([Type.Object({ name: Type.String() }), Type.Null()]),
});
export type StepUpWays = Static<typeof StepUpWays>;

export const SessionRow = Type.Object({
  id: Type.String(),
  created_at: Type.Number(),
  last_seen_at: Type.Number(),
  expires_at: Type.Number(),
  ip: Type.String(),
  user_agent: Type.String(),
  is_current: Type.Boolean(),
});
export type SessionRow = Static<typeof SessionRow>;

export const SessionList = Type.Object({ rows: Type.Array(SessionRow) });
export type SessionList = Static<typeof SessionList>;

export const LoginCode = input({ code: required(Type.String({ minLength: 1, maxLength: 20 })) });

export const AskingLogin = Type.Object({
  client: Type.String({ description: "What the command says of its computer" }),
  ip: Type.String(),
  your_ip: Type.String(),
  created_at: Type.Number(),
  expires_at: Type.Number(),
});
export type AskingLogin = Static<typeof AskingLogin>;
