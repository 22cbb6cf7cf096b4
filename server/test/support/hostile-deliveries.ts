// Attempts to send events to forbidden addresses: by a saved URL, a name server's answer or an endpoint's response.

import { setTimeout as sleep } from "node:timers/promises";
import {
  type Address,
  type AddressPolicy,
  addressProblem,
} from "../../src/platform/addresses/address-guard.ts";
import { type Posted, poster } from "../../src/webhooks/http-client/post.ts";
import { serve, serveSockets } from "./bad-endpoint-servers.ts";
import { watchConnections } from "./connection-attempts.ts";
import { hostileAnswers, hostileUrls } from "./hostile-addresses.ts";

/** Public by every rule, but returned to IANA: no host has this address. */
const publicAddress: Address = { address: "3ffe::1", family: 6 };
const toAddress = (address: string): Address => ({
  address,
  family: address.includes(":") ? 6 : 4,
});

/** One attempt, and what went wrong, if anything did. */
export type Tried = { way: string; what: string; problem: string | undefined };

export async function tryHostile(onTry: (tried: Tried) => void): Promise<{ canaryHits: number }> {
  let canaryHits = 0;
  const canary = await serveSockets(() => (canaryHits += 1));
  const watch = watchConnections();
  const report = (way: string, what: string, posted: Posted, attempts: string[]) => {
    const isRefused = posted.failure === "forbidden" && posted.status === undefined;
    const problem =
      isRefused && attempts.length === 0 ? undefined : `${JSON.stringify(posted)}, ${attempts}`;
    onTry({ way, what, problem });
  };

  async function tryOne(
    way: string,
    url: string,
    answers: Address[],
    policy: AddressPolicy = "public",
  ) {
    const { post, close } = poster({ policy, lookup: async () => answers });
    const before = watch.addresses.length;
    const posted = await post({ lane: "one", url, headers: {}, body: "{}" });
    await close();
    report(
      way,
      `${url} ${answers.map(({ address }) => address)}`,
      posted,
      watch.addresses.slice(before),
    );
  }

  try {
    for (const url of hostileUrls(canary.port)) {
      const problem = addressProblem(url, "public") === undefined ? "saved" : undefined;
      onTry({ way: "saved", what: url, problem });
      await tryOne("sent to a URL", url, [toAddress("127.0.0.1")]);
    }
    for (const address of hostileAnswers) {
      const url = "https://hooks.example.com:8443/";
      for (const policy of ["public", "loopback"] as const) {
        await tryOne("sent to a name that leads inside", url, [toAddress(address)], policy);
        await tryOne(
          "sent to a name that leads inside too",
          url,
          [publicAddress, toAddress(address)],
          policy,
        );
        await tryOne(
          "sent to a name that leads inside too",
          url,
          [toAddress(address), publicAddress],
          policy,
        );
      }
    }
    for (let times = 0; times < 10; times += 1) onTry(await tryRebinding());
    for (const code of [301, 302, 303, 307, 308]) onTry(await tryRedirect(code));
    onTry(await tryReuse());
  } finally {
    watch.stop();
    await canary.close();
  }
  return { canaryHits };

  /** The first answer is a public address, every later one is this machine. */
  async function tryRebinding(): Promise<Tried> {
    let asked = 0;
    const lookup = async () => {
      asked += 1;
      return [asked === 1 ? publicAddress : toAddress("127.0.0.1")];
    };
    const { post, close } = poster({ policy: "public", lookup, timeouts: { connectMs: 100 } });
    const before = watch.addresses.length;
    const call = { lane: "one", url: "https://hooks.example.com:8443/", headers: {}, body: "{}" };
    const first = await post(call);
    const second = await post(call);
    await close();
    const attempts = watch.addresses.slice(before);
    const isHeld =
      first.failure === "connect" &&
      second.failure === "forbidden" &&
      attempts.every((address) => address === publicAddress.address);
    const problem = isHeld ? undefined : `${first.failure}, ${second.failure}, ${attempts}`;
    return { way: "rebound", what: call.url, problem };
  }

  async function tryRedirect(code: number): Promise<Tried> {
    const location = `http://127.0.0.1:${canary.port}/`;
    const server = await serve((socket) =>
      socket.write(`HTTP/1.1 ${code} There\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`),
    );
    const { post, close } = poster({ policy: "loopback" });
    const url = `http://127.0.0.1:${server.port}/`;
    const { status } = await post({ lane: "one", url, headers: {}, body: "{}" });
    await sleep(20);
    await close();
    await server.close();
    const problem =
      status === code && canaryHits === 0 ? undefined : `${status}, ${canaryHits} hits`;
    return { way: "redirected", what: `${code}`, problem };
  }

  /** A lane with a connection is given a URL that must not be sent to. */
  async function tryReuse(): Promise<Tried> {
    let requests = 0;
    const server = await serve((socket) => {
      requests += 1;
      socket.write("HTTP/1.1 204 None\r\n\r\n");
    });
    const { post, close } = poster({
      policy: "loopback",
      lookup: async () => [toAddress("127.0.0.1")],
    });
    const call = { lane: "one", headers: {}, body: "{}" };
    const urls = [
      `http://127.0.0.1:${server.port}/`,
      "https://hooks.example.com/",
      "https://10.0.0.1/",
    ];
    const outcomes: Posted[] = [];
    for (const url of urls) outcomes.push(await post({ ...call, url }));
    await close();
    await server.close();
    const seen = outcomes.map(({ status, failure }) => status ?? failure).join();
    const problem =
      seen === "204,forbidden,forbidden" && requests === 1 ? undefined : `${seen}, ${requests}`;
    return { way: "reused", what: urls.join(" "), problem };
  }
}
