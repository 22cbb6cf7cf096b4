// The peer in its own process, in the form of the other servers.

import type { ClientConfig } from "pg";
import { peerModule } from "../peers/build.ts";

export type PeerSetup = { connection: ClientConfig };

type Serve = (database: ClientConfig) => Promise<{ port: number }>;

const { connection }: PeerSetup = JSON.parse(process.argv[2] as string);
process.env.NODE_ENV = "production";
const { serve } = (await import(peerModule("serve.js"))) as { serve: Serve };
process.send?.(await serve(connection));

process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit(0));
