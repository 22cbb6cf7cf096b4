// TLS to the database: only a server with a certificate of the named authority and the right name is accepted.

import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../src/platform/db/connect.ts";
import { certificates } from "../support/certificates/certificates.ts";
import { freePort, startAlone } from "../support/postgres-servers.ts";

const startMs = 60_000;
const authority = join(import.meta.dirname, "..", "support", "certificates", "authority.pem");

/** A server that accepts no connection without TLS. Its address lacks the parameters. */
async function startWithTls(name: "good" | "wrongName"): Promise<URL> {
  const { key, cert } = certificates[name];
  const settings = "ssl = on\nssl_cert_file = 'server.crt'\nssl_key_file = 'server.key'";
  const hba = "hostssl all all 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 reject\n";
  const files = { "server.crt": cert, "server.key": key, "pg_hba.conf": hba };
  const { server, close } = await startAlone(settings, files);
  onTestFinished(close, startMs);
  const url = new URL(server.url);
  url.hostname = "localhost";
  return url;
}

const verified = `sslmode=verify-full&sslrootcert=${encodeURIComponent(authority)}`;

async function isEncrypted(connectionString: string): Promise<boolean> {
  const db = connect({ connection: { connectionString }, poolMax: 1 });
  try {
    const { rows } = await db.pool.query(
      "select ssl from pg_stat_ssl where pid = pg_backend_pid()",
    );
    return rows[0].ssl;
  } finally {
    await db.close();
  }
}

test(
  "sslmode=verify-full encrypts, also with several servers; unencrypted is refused",
  async () => {
    const url = await startWithTls("good");
    const plain = url.href;
    expect(await isEncrypted(`${plain}?${verified}`)).toBe(true);
    const two = plain.replace("@localhost", `@localhost:${await freePort()},localhost`);
    expect(await isEncrypted(`${two}?${verified}`)).toBe(true);
    await expect(isEncrypted(plain)).rejects.toMatchObject({ code: "28000" });
    // The system does not know the authority of the test.
    await expect(isEncrypted(`${plain}?sslmode=verify-full`)).rejects.toThrow(/certificate/);
  },
  startMs,
);

test(
  "a certificate for another name is refused",
  async () => {
    const url = await startWithTls("wrongName");
    await expect(isEncrypted(`${url.href}?${verified}`)).rejects.toMatchObject({
      code: "ERR_TLS_CERT_ALTNAME_INVALID",
    });
  },
  startMs,
);
