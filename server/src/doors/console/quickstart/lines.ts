// The code that a developer copies: with URL and key filled in, never with a secret. Pure.

type Filling = { baseUrl: string; key: string };
type CodeSample = { label: string; text: string };

const receiver = {
  first_name: "Ada",
  last_name: "Byron",
  email: "ada.byron@example.com",
  dob: "1990-12-10",
  gender: "F",
  dialcode: "61",
  phone: "412345678",
  address: "1 St. Kilda Road",
  address2: "",
  city: "Melbourne",
  state: "VIC",
  postcode: "3004",
  country: "AUS",
};

/** A caller whose secret stays in the environment. */
const client = ({ baseUrl, key }: Filling) => `import { Disburse } from "@disburse/client";

// The secret comes from the environment: DISBURSE_API_SECRET.
const disburse = new Disburse({
  baseUrl: ${JSON.stringify(baseUrl)},
  apiKey: ${JSON.stringify(key)},
});`;

export function keyWays({ baseUrl, key }: Filling): CodeSample[] {
  return [
    {
      label: "Shell",
      text: `export DISBURSE_BASE_URL=${baseUrl}
export DISBURSE_API_KEY=${key}
# Paste the secret, which was shown once when the key was made:
read -rs DISBURSE_API_SECRET && export DISBURSE_API_SECRET`,
    },
    {
      label: ".env",
      text: `DISBURSE_BASE_URL=${baseUrl}
DISBURSE_API_KEY=${key}
DISBURSE_API_SECRET=`,
    },
  ];
}

export function callWays(filling: Filling): CodeSample[] {
  const { baseUrl, key } = filling;
  return [
    {
      label: "curl",
      text: `./disburse sign GET /api/subaccount --api-key ${key} | tail -2 |
  curl -sS ${baseUrl}/api/subaccount -H @-`,
    },
    {
      label: "TypeScript",
      text: `${client(filling)}
console.log(await disburse.subaccount.get());`,
    },
  ];
}

export function receiverWays(filling: Filling): CodeSample[] {
  const { baseUrl, key } = filling;
  return [
    {
      label: "curl",
      text: `body='${JSON.stringify(receiver)}'
./disburse sign POST /api/receiver --body "$body" --api-key ${key} | tail -2 |
  curl -sS ${baseUrl}/api/receiver -d "$body" -H 'content-type: application/json' -H @-`,
    },
    {
      label: "TypeScript",
      text: `${client(filling)}
const { receiver_id } = await disburse.receivers.create(${JSON.stringify(receiver, null, 2)});
console.log(receiver_id);`,
    },
  ];
}

/** In test mode the money and the identity check are made up first, so that it works at once. */
export function payoutWays(filling: Filling, mode: string): CodeSample[] {
  const simulated = `await disburse.testHelpers.fund({ amount: 100000, currency: "AUD", reference: crypto.randomUUID() });
await disburse.testHelpers.setStatus({ id: receiver.id, type: "kyc", status: "success" });
`;
  return [
    {
      label: "TypeScript",
      text: `${client(filling)}
const { items: [receiver] } = await disburse.receivers.list({ limit: 1 }).page();
if (!receiver) throw new Error("create a receiver first");
${mode === "test" ? simulated : ""}const { account_id } = await disburse.receiverAccounts.create({
  receiver_id: receiver.id,
  account_type: "I",
  bsb: "062000",
  account_number: "12345999",
});
const payout = await disburse.payouts.create({
  receiver_id: receiver.id,
  account_id,
  // In cents.
  amount: 2500,
  currency: "AUD",
  reference: "INV-1",
});
console.log(payout);`,
    },
  ];
}

export function webhookWays(filling: Filling): CodeSample[] {
  return [
    {
      label: "Receive",
      text: `import { createServer } from "node:http";
import { env } from "node:process";
import { webhooks } from "@disburse/client";

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const secret = env.DISBURSE_WEBHOOK_SECRET ?? "";
  const event = await webhooks.unwrap(Buffer.concat(chunks), request.headers, secret);
  console.log(event);
  response.writeHead(204).end();
}).listen(3000);`,
    },
    {
      label: "Say where, and try it",
      text: `${client(filling)}
await disburse.subaccount.update({ postback_url: "https://example.com/events" });
const { secret } = await disburse.subaccount.rotatePostbackSecret();
console.log(\`DISBURSE_WEBHOOK_SECRET=\${secret}\`);
await disburse.events.test();`,
    },
    {
      label: "On your own machine",
      text: "./disburse events listen --forward-to http://localhost:3000/",
    },
  ];
}
