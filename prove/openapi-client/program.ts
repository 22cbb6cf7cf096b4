// A program written from openapi.json alone: types by openapi-typescript, calls by openapi-fetch.
// It lists receivers two by two, from link header to link header, and prints a line for each page.

import { createHmac } from "node:crypto";
import createClient from "openapi-fetch";
import type { components, operations, paths } from "./dist/types.js";

const { BASE_URL = "", API_KEY = "", API_SECRET = "" } = process.env;

const client = createClient<paths>({ baseUrl: BASE_URL });
client.use({
  onRequest({ request }) {
    const ms = Date.now();
    const hex = createHmac("sha256", API_SECRET).update(`${ms}.${API_KEY}`).digest("hex");
    request.headers.set("x-api-key", API_KEY);
    request.headers.set("signature", `${ms}.${hex}`);
    return request;
  },
});

type Answer = operations["listReceivers"]["responses"][200];
type Query = NonNullable<operations["listReceivers"]["parameters"]["query"]>;

// The header is documented: its name comes from the generated types.
const linkName = "link" satisfies keyof Answer["headers"];

/** The query of the next page, from a header such as `</api/receiver?limit=2&cursor=…>; rel="next"`. */
function readNextPage(link: string | null): Query | undefined {
  const path = /<([^>]+)>; rel="next"/.exec(link ?? "")?.[1];
  return path ? Object.fromEntries(new URL(path, BASE_URL).searchParams) : undefined;
}

let query: Query | undefined = { limit: 2 };
while (query) {
  const { data, error, response } = await client.GET("/api/receiver", { params: { query } });
  if (error) throw new Error(error.error.map(({ code }) => code).join(", "));
  const receivers: components["schemas"]["Receiver"][] = data.payload;
  console.log(receivers.map(({ email }) => email).join(" "));
  query = readNextPage(response.headers.get(linkName));
}

// A documented enumeration is also one in the types, so another value does not compile.
const status: components["schemas"]["Payout"]["status"] = "successful";
// @ts-expect-error: no payout is ever "paid"
const wrong: components["schemas"]["Payout"]["status"] = "paid";
void [status, wrong];

const balance = await client.GET("/api/balance");
const available: number | undefined = balance.data?.payload[0]?.available;
console.log(available);
