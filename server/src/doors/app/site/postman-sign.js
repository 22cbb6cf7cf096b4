// Signs each request of the collection with version 2. The variables are apiKey and apiSecret of the collection or the environment.
const crypto = require("crypto-js");

const secret = pm.variables.get("apiSecret");
const key = pm.variables.get("apiKey");
const body = pm.request.body?.raw ? pm.variables.replaceIn(pm.request.body.raw) : "";
const path = pm.variables.replaceIn(pm.request.url.getPathWithQuery());
const ms = String(Date.now());
const nonce = pm.variables.replaceIn("{{$guid}}");
const text = ["v2", ms, nonce, key, pm.request.method, path, crypto.SHA256(body).toString()].join(
  "\n",
);

pm.request.headers.upsert({ key: "x-api-key", value: key });
pm.request.headers.upsert({
  key: "signature",
  value: `v2.${ms}.${nonce}.${crypto.HmacSHA256(text, secret).toString()}`,
});
// What is sent is what was signed.
if (body) pm.request.body.raw = body;
