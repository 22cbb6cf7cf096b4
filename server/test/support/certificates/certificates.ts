// Certificates for test servers, each in one file with its key. They were made once, because Node can't make any:
//
//   openssl ecparam -name prime256v1 -genkey -noout -out authority.key
//   openssl req -new -key authority.key -subj "/CN=Disburse test authority" -out authority.csr \
//     -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
//   openssl ca -batch -notext -selfsign -config ca.cnf -keyfile authority.key -in authority.csr \
//     -startdate 20200101000000Z -enddate 21251231235959Z -out authority.pem
//
// and each of the others, with a ca.cnf of a few lines (copy_extensions = copy, policy: commonName supplied):
//
//   openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out good.key
//   openssl req -new -key good.key -subj "/CN=good" -out good.csr \
//     -addext "subjectAltName=DNS:localhost,DNS:good.localhost,IP:127.0.0.1,IP:::1"
//   openssl ca -batch -notext -config ca.cnf -keyfile authority.key -cert authority.pem -in good.csr \
//     -startdate 20200101000000Z -enddate 21251231235959Z -out good.crt
//   cat good.key good.crt > good.pem
//
// expired: until 20200102000000Z. wrong-name: DNS:elsewhere.localhost. self-signed: -selfsign with its own key.
// The authority's key was deleted.

import { readFileSync } from "node:fs";
import { join } from "node:path";

const read = (name: string) => readFileSync(join(import.meta.dirname, `${name}.pem`), "utf8");
const server = (name: string) => ({ key: read(name), cert: read(name) });

export const authority = read("authority");

export const certificates = {
  good: server("good"),
  expired: server("expired"),
  wrongName: server("wrong-name"),
  selfSigned: server("self-signed"),
};
