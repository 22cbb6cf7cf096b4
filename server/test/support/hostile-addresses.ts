// URLs to private addresses, or to none, in every spelling that an attacker knows. Each must be refused.

/** Some have the canary's port, so that a connection would be noticed. */
export function hostileUrls(port: number): string[] {
  return [...new Set(all(port))];
}

function all(port: number): string[] {
  return [
    // This machine, and its odd spellings
    ...hosts(`
      127.0.0.1 127.0.0.2 127.1 127.0.1 127.255.255.254 2130706433 017700000001 0x7f000001 0x7f.1 0x7f.0.0.1
      0177.0.0.1 0177.0.0.01 127.0.0.1. 00000177.0x0.0.1 0 0.0.0.0 0x0 00 0.0.0.1
      %31%32%37.0.0.1 127%2e0%2e0%2e1 １２７.０.０.１ 127。0。0。1 127．0．0．1 127｡0｡0｡1 ①②⑦.⓪.⓪.① ⑯⑨.②⑤④.①⑥⑨.②⑤④
      localhost LOCALHOST localhost. LocalHost.%6cocal ⓛⓞⓒⓐⓛⓗⓞⓢⓣ foo.localhost localhost.localdomain
      [::1] [0:0:0:0:0:0:0:1] [0000::0001] [::] [::127.0.0.1] [::7f00:1]
      [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:1] [::ffff:0:127.0.0.1]`),
    // Private networks, and the metadata services of clouds
    ...hosts(`
      10.0.0.1 10.255.255.255 167772161 172.16.0.1 172.31.255.254 192.168.0.1 192.168.1 3232235521 0xc0a80001
      169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.170.2 169.254.43518
      100.64.0.1 100.100.100.200 100.127.255.254 192.0.0.192 192.0.0.170 168.63.129.16
      [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::ffff:10.0.0.1] [::ffff:168.63.129.16] [::10.0.0.1]
      [fd00:ec2::254] [fd20:ce::254] [fc00::1] [fdff:ffff::1] [fe80::1] [fe80::a9fe:a9fe] [febf::1] [fec0::1]
      metadata metadata.google.internal instance-data.ec2.internal db.local printer.local router.home.arpa
      kubernetes.default.svc.cluster.local intranet nas.lan server.corp gitlab.intranet host.docker.internal`),
    // IPv6 addresses that lead to IPv4 addresses
    ...hosts(`
      [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::7f00:1] [64:ff9b:1::a00:1]
      [2002:7f00:1::] [2002:7f00:1::1] [2002:a00:1::] [2002:a9fe:a9fe::] [2001:0:7f00:1::] [2001::1]
      [2001:0:4136:e378:8000:63bf:3fff:fdd2]`),
    // Addresses that belong to no single public host
    ...hosts(`
      224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 4294967295 198.18.0.1 198.19.255.255 192.0.2.1
      198.51.100.1 203.0.113.1 192.88.99.1 192.175.48.1 192.52.193.1 0.255.255.255
      [ff02::1] [ff0e::1] [2001:db8::1] [2001:2::1] [2001:10::1] [2001:20::1] [3fff::1] [100::1] [5f00::1]
      [4000::1] [1::1] [2620:4f:8000::1] [::ffff:203.0.113.1]
      events.test nowhere.invalid hooks.example hidden.onion name.alt 1.0.0.127.in-addr.arpa ipv4only.arpa
      example.com. example..com .example.com`),
    // URLs that mislead a reader or a parser
    "https://example.com@127.0.0.1/",
    "https://user:password@example.com/",
    "https://@example.com/",
    "https://:@example.com/",
    "https://127.0.0.1#@example.com/",
    "https://127.0.0.1\\@example.com/",
    "https://example.com\\@127.0.0.1/",
    "https://127.0.0.1?@example.com/",
    "https:\\\\127.0.0.1\\",
    "https:127.0.0.1/",
    "https:/127.0.0.1/",
    "https:///127.0.0.1/",
    "https:example.com/",
    " https://example.com/",
    "https://exam\nple.com/",
    "https://127.0\t.0.1/",
    "https://127.0.0.1\u200b/",
    "https://example.com/\u202egpj.moc",
    "https://example.com/a b",
    "https://example.com/#inside",
    "https://example.com/\0",
    `https://example.com/${"a".repeat(2048)}`,
    "https://0x08080808/",
    "https://134744072/",
    "https://８.8.8.8/",
    // Schemes that are not allowed
    "http://example.com/",
    "http://93.184.216.34/",
    "HTTP://EXAMPLE.COM/",
    "//example.com/",
    "example.com/events",
    "/events",
    "",
    "file:///etc/passwd",
    "gopher://127.0.0.1:70/_",
    "ftp://example.com/",
    "dict://127.0.0.1:11211/stat",
    "data:application/json,{}",
    "javascript:alert(1)",
    "ws://example.com/",
    "wss://example.com/",
    "unix:/var/run/docker.sock",
    "http+unix://%2Fvar%2Frun%2Fdocker.sock/",
    "blob:https://example.com/1",
    "ldap://127.0.0.1/",
    "jar:https://example.com!/",
    // Ports that are not allowed
    ...[22, 25, 80, 444, 5432, 6379, 9200, 65535].map((other) => `https://example.com:${other}/`),
    "https://93.184.216.34:80/",
    "https://[2606:4700:4700::1111]:22/",
    "https://example.com:0/",
    "https://example.com:65536/",
    // The canary itself
    `http://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://[::1]:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://0.0.0.0:${port}/`,
    `http://2130706433:${port}/`,
    `http://0x7f.1:${port}/`,
    `http://canary.localhost:${port}/`,
    `https://user@127.0.0.1:${port}/`,
  ];
}

function hosts(text: string): string[] {
  return text
    .trim()
    .split(/\s+/)
    .map((host) => `https://${host}/events`);
}

/** Addresses that must not be connected to, alone or beside public ones. */
export const hostileAnswers = `
  127.0.0.1 127.8.8.8 0.0.0.0 10.0.0.1 172.16.0.1 192.168.0.1 169.254.169.254 169.254.170.2 100.64.0.1
  100.100.100.200 192.0.0.192 198.18.0.1 192.0.2.1 224.0.0.1 240.0.0.1 255.255.255.255 168.63.129.16
  ::1 :: ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::7f00:1
  2002:7f00:1:: 2001::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%lo fec0::1 ff02::1 2001:db8::1 3fff::1 100::1
  2606:4700:4700::1111%1 localhost 0x7f000001 127.1`
  .trim()
  .split(/\s+/);

/** URLs that are allowed under "public". */
export const friendlyUrls = [
  "https://example.com",
  "https://example.com/events?key=1&a=%20",
  "https://EXAMPLE.com:443/",
  "https://hooks.example.co.uk:8443/a/b",
  "https://bücher.example.com/",
  "https://xn--bcher-kva.example.com/",
  "https://a_b.example.com/",
  "https://93.184.216.34/",
  "https://8.8.8.8:8443/",
  "https://[2606:4700:4700::1111]/",
  "https://[2a00:1450:4001:0:0:0:0:200e]:8443/",
  "https://[::ffff:8.8.8.8]/",
  "https://localhost.example.com/",
  "https://127.0.0.1.example.com/",
  "https://testing.dev/@name",
];

/** URLs that are also allowed under "loopback". */
export const localUrls = [
  "http://localhost:3000/events",
  "https://localhost/",
  "http://127.0.0.1/",
  "http://127.0.0.1:65535/",
  "http://127.8.8.8:80/",
  "http://[::1]:8080/",
  "http://[::ffff:127.0.0.1]:8080/",
  "http://events.localhost:4000/",
];
