// What all routes of the console have in common, at each door: bodies, headers, and names of users that are hidden.

import type { FastifyReply, FastifyRequest } from "fastify";
import {
  type Api,
  fileRequestType,
  readBody,
  readFileRequest,
  readFiles,
  readObject,
  releaseFiles,
} from "../../platform/http/index.ts";
import { withoutNames } from "./names.ts";

type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export function consoleScope(api: Api, admit: Admit): void {
  api.addContentTypeParser(fileRequestType, readBody);
  api.addContentTypeParser("application/octet-stream", readFiles);
  api.addHook("onResponse", (request, _reply, done) => {
    releaseFiles(request);
    done();
  });
  api.addHook("onRequest", admit);
  api.addHook("onRequest", (_request, reply, done) => {
    reply.header("cache-control", "no-store");
    done();
  });
  api.addHook("preValidation", (request, _reply, done) => {
    const { method, body } = request;
    const isRead = method === "GET" || method === "HEAD";
    const isFile = request.headers["content-type"] === fileRequestType;
    const read = isFile ? readFileRequest : readObject;
    if (!isRead && !body) request.body = {};
    else if (body instanceof Buffer) request.body = read(body, "CONS106");
    done();
  });
  api.addHook("preSerialization", (request, _reply, payload, done) => {
    done(null, withoutNames(request.access, payload));
  });
}
