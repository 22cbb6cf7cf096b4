// The address guard: the URLs that can't be saved, and the addresses that are not connected to.

import { Resolver } from "node:dns/promises";
import { describe, expect, test } from "vitest";
import {
  type Address,
  type AddressPolicy,
  addressProblem,
  ForbiddenAddress,
  lookupWith,
  resolvePublic,
} from "../../../src/platform/addresses/address-guard.ts";
import { type Network, readNetwork } from "../../../src/platform/addresses/private-networks.ts";
import { startDnsServer } from "../../support/dns-server.ts";
import {
  friendlyUrls,
  hostileAnswers,
  hostileUrls,
  localUrls,
} from "../../support/hostile-addresses.ts";

const hostile = hostileUrls(8443);
const public4: Address = { address: "93.184.216.34", family: 4 };
const public6: Address = { address: "2606:4700:4700::1111", family: 6 };

test("there are over two hundred hostile URLs", () => {
  expect(hostile.length).toBeGreaterThan(200);
});

test.each(hostile)("%j is not saved", (url) => {
  expect(addressProblem(url, "public")).toMatch(/^must /);
});

test.each(friendlyUrls)("%s is saved", (url) => {
  expect(addressProblem(url, "public")).toBeUndefined();
  expect(addressProblem(url, "loopback")).toBeUndefined();
});

test.each(localUrls)("%s is saved only where loopback is allowed", (url) => {
  expect(addressProblem(url, "loopback")).toBeUndefined();
  expect(addressProblem(url, "public")).toMatch(/^must /);
});

test("where loopback is allowed, every other hostile address is refused", () => {
  const here = /^(127(\.\d+){3}|([a-z]+\.)?localhost|\[::1\]|\[::ffff:7f00:1\])$/;
  const saved = hostile.filter((url) => addressProblem(url, "loopback") === undefined);
  expect(saved.filter((url) => !here.test(new URL(url).hostname))).toEqual([]);
  expect(saved.length).toBeGreaterThan(10);
});

test("each problem of a URL has its own reason", () => {
  const reason = (url: string) => addressProblem(url, "public");
  expect(reason("http://example.com/")).toBe("must begin with https://");
  expect(reason("nonsense")).toBe("must be a URL such as https://example.com/events");
  expect(reason("https://a:b@example.com/")).toBe("must not contain a user name or password");
  expect(reason("https://example.com/#a")).toBe("must not contain a fragment (#)");
  expect(reason("https://example.com:80/")).toBe("must use port 443 or 8443");
  expect(reason("https://10.0.0.1/")).toBe("must lead to a public address");
  expect(reason("https://intranet/")).toBe("must name a host of the public internet");
  expect(reason("https://0x7f.1/")).toBe("must spell an address as four plain numbers");
  expect(reason(`https://example.com/${"a".repeat(2048)}`)).toBe(
    "must have at most 2048 characters",
  );
});

test.each(hostileAnswers)("a name that resolves to %s is not connected to", async (address) => {
  const family = address.includes(":") ? 6 : 4;
  const answer: Address = { address, family };
  for (const answers of [
    [answer],
    [public4, answer],
    [answer, public6],
    [public4, public6, answer],
  ]) {
    for (const policy of ["public", "loopback"] as const) {
      const resolved = resolvePublic("hooks.example.com", policy, { lookup: async () => answers });
      await expect(resolved).rejects.toThrow(ForbiddenAddress);
    }
  }
});

describe("with an allowed private network", () => {
  const policy: AddressPolicy = {
    base: "public",
    networks: ["10.1.0.0/16", "fd00:ec2::/32", "100.64.0.0/10"].map(
      (text) => readNetwork(text) as Network,
    ),
  };
  const lookupOf = (address: string) => async () => [
    { address, family: address.includes(":") ? 6 : 4 } as Address,
  ];

  test.each([
    "https://10.1.2.3/events",
    "https://10.1.2.3:9443/events",
    "https://hooks.internal:9443/events",
    "https://hooks/events",
    "https://[fd00:ec2::1]/events",
  ])("%s is saved with it, and not without it", (url) => {
    expect(addressProblem(url, policy)).toBeUndefined();
    expect(addressProblem(url, "public")).toMatch(/^must /);
  });

  test.each([
    "https://10.2.0.1/events",
    "http://10.1.2.3/events",
    "http://hooks.internal/events",
    "https://localhost/events",
    "https://a.localhost/events",
    "https://127.0.0.1/events",
    "https://169.254.169.254/events",
    "https://[fd00:ec2::254]/events",
    "https://100.100.100.200/events",
    "https://example.com:9443/events",
  ])("%s is still not saved", (url) => {
    expect(addressProblem(url, policy)).toMatch(/^must /);
  });

  test("a name may resolve to it, and to no other private address", async () => {
    for (const host of ["hooks.internal", "hooks.example.com"]) {
      const resolved = resolvePublic(host, policy, { lookup: lookupOf("10.1.2.3") });
      expect(await resolved).toEqual([{ address: "10.1.2.3", family: 4 }]);
    }
    for (const address of ["10.2.0.1", "127.0.0.1", "169.254.169.254", "fd00:ec2::254"]) {
      const resolved = resolvePublic("hooks.internal", policy, { lookup: lookupOf(address) });
      await expect(resolved).rejects.toThrow(ForbiddenAddress);
    }
    const here = resolvePublic("localhost", policy, { lookup: lookupOf("10.1.2.3") });
    await expect(here).rejects.toThrow(ForbiddenAddress);
  });

  test.each([
    "0.0.0.0/0",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "8.8.8.0/24",
    "10.0.0.0/7",
    "::/0",
    "10.1.0.0",
    "x",
  ])("%s can't be allowed", (text) => expect(readNetwork(text)).toBeUndefined());
});

test("a name with public addresses resolves to all of them", async () => {
  const lookup = async () => [public4, public6];
  expect(await resolvePublic("hooks.example.com", "public", { lookup })).toEqual([
    public4,
    public6,
  ]);
});

test("a literal address is also checked when connecting, without DNS", async () => {
  const lookup = () => Promise.reject(new Error("asked"));
  for (const host of [
    "127.0.0.1",
    "[::1]",
    "169.254.169.254",
    "[fd00:ec2::254]",
    "::ffff:10.0.0.1",
  ])
    await expect(resolvePublic(host, "public", { lookup })).rejects.toThrow(ForbiddenAddress);
  expect(await resolvePublic("93.184.216.34", "public", { lookup })).toEqual([public4]);
  expect(await resolvePublic("[2606:4700:4700::1111]", "public", { lookup })).toEqual([public6]);
  expect(await resolvePublic("127.0.0.1", "loopback", { lookup })).toHaveLength(1);
  await expect(resolvePublic("10.0.0.1", "loopback", { lookup })).rejects.toThrow(ForbiddenAddress);
});

test("localhost resolves to loopback where that is allowed, and is refused elsewhere, without DNS", async () => {
  const lookup = () => Promise.reject(new Error("asked"));
  for (const host of ["localhost", "a.localhost"]) {
    await expect(resolvePublic(host, "public", { lookup })).rejects.toThrow(ForbiddenAddress);
    const here = await resolvePublic(host, "loopback", { lookup });
    expect(here.map(({ address }) => address)).toEqual(["127.0.0.1", "::1"]);
  }
});

test("both address families are queried, and one is enough", async () => {
  const dns = await startDnsServer((name, type) => {
    if (name.startsWith("six") && type === "A") return "nothing";
    if (name.startsWith("four") && type === "AAAA") return "no such name";
    if (name.startsWith("none")) return "no such name";
    return type === "A" ? [public4.address] : [public6.address];
  });
  const resolver = new Resolver({ timeout: 100, tries: 1 });
  resolver.setServers([dns.address]);
  const ask = (name: string) => lookupWith(resolver, `${name}.example.com`);

  expect(await ask("both")).toEqual([public4, public6]);
  expect(await ask("four")).toEqual([public4]);
  expect(await ask("six")).toEqual([public6]);
  await expect(ask("none")).rejects.toMatchObject({ code: "ENOTFOUND" });
  await dns.close();
});
