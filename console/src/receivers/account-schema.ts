// The part of a country's JSON Schema of accounts that forms and help use.

import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useApiOf } from "../api/me.ts";

export type AccountSchema = {
  properties: Record<
    string,
    { title: string; description: string; enum?: readonly string[]; default?: string }
  >;
  required: string[];
};

export function useAccountSchema(country: string) {
  const apiOf = useApiOf();
  return useQuery({
    queryKey: ["account-form", country],
    queryFn: ({ signal }) => get<AccountSchema>(apiOf("/account-form"), { country }, signal),
    enabled: /^[A-Z]{3}$/.test(country),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
