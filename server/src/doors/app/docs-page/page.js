// @ts-check
// Mounts the API reference and signs what its Send button sends to this service.

import { currentCredentials, startCredentials } from "./credentials.js";
import { newNonce, sign } from "./sign.js";

/**
 * Parts of the bundle add a style element without the page's nonce, and the policy would refuse it.
 * Elements made by script get the nonce here; styles in injected markup stay refused.
 */
function markStyleElements() {
  const meta = document.querySelector("meta[property=csp-nonce]");
  const nonce = meta?.getAttribute("content") ?? "";
  const createElement = document.createElement.bind(document);
  /** @type {(name: string, options?: ElementCreationOptions) => HTMLElement} */
  const createMarked = (name, options) => {
    const element = createElement(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
  document.createElement = /** @type {typeof document.createElement} */ (createMarked);
}

/**
 * The last step before the network, so that what is signed is what is sent.
 * @type {typeof fetch}
 */
async function signedFetch(resource, options) {
  const request = new Request(resource, options);
  // Taken from the URL's text: an empty query ("?") is on the request line too.
  const [address = ""] = request.url.split("#", 1);
  const path = address.slice(location.origin.length);
  if (!address.startsWith(`${location.origin}/api/`)) return fetch(request);

  // The reference fills these from its own fields, which the page hides.
  request.headers.delete("x-api-key");
  request.headers.delete("signature");
  const credentials = currentCredentials();
  // Unsigned, the service's own refusal says best what is missing.
  if (!credentials) return fetch(request);

  const body = await request.clone().arrayBuffer();
  const moment = { ms: String(Date.now()), nonce: newNonce() };
  const signature = await sign(credentials, { method: request.method, path, body }, moment);
  request.headers.set("x-api-key", credentials.apiKey);
  request.headers.set("signature", signature);
  return fetch(request);
}

/** While the reference's request window is open it pulls the focus back; the bar stays usable. */
function keepBarFocusable() {
  const keepFromReference = (/** @type {Event} */ event) => {
    if (!(event.target instanceof Element && event.target.closest(".signing"))) return;
    if (event instanceof KeyboardEvent && event.key !== "Tab") return;
    event.stopImmediatePropagation();
  };
  window.addEventListener("focusin", keepFromReference, { capture: true });
  window.addEventListener("keydown", keepFromReference, { capture: true });
}

const reference = /** @type {HTMLElement} */ (document.getElementById("reference"));

/**
 * The reference fills in the first value of a list, and a default, and would send them: a list of receivers would be that of
 * status 0. What a filter takes stays in its description.
 */
async function readDocument() {
  const response = await fetch(/** @type {string} */ (reference.dataset.document));
  if (!response.ok) throw new Error(`the document was answered with ${response.status}`);
  const { paths, ...others } = await response.json();
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    for (const { in: place, schema } of operation.parameters ?? []) {
      if (place !== "query") continue;
      delete schema.enum;
      delete schema.default;
    }
  }
  return { ...others, paths };
}

async function mount() {
  const content = await readDocument();
  const mountPoint = document.createElement("div");
  reference.append(mountPoint);
  // @ts-expect-error The bundle defines this global.
  window.Scalar.createApiReference(mountPoint, {
    content,
    // Whatever the document lists, Send talks to the service that served this page.
    servers: [{ url: location.origin }],
    customFetch: signedFetch,
    onLoaded: () => reference.setAttribute("aria-busy", "false"),
    defaultOpenFirstTag: true,
    documentDownloadType: "json",
    // Each of these would call, or lead, somewhere else.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: "never",
    // Credentials live in the bar only.
    persistAuth: false,
  });
}

function showFailure() {
  document.getElementById("reference-failure")?.removeAttribute("hidden");
  reference.setAttribute("aria-busy", "false");
}

startCredentials();
markStyleElements();
keepBarFocusable();
const bundle = document.getElementById("scalar-bundle");
bundle?.addEventListener("load", () => mount().catch(showFailure));
bundle?.addEventListener("error", showFailure);
