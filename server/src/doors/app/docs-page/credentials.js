// @ts-check
// The bar on top of the page: the API key and secret a person typed, and what they are good for.

/** @typedef {{ apiKey: string, secret: string }} Credentials */

const storageKey = "disburse-docs-credentials";

const keyInput = input("api-key");
const secretInput = input("api-secret");
const rememberInput = input("remember");
const status = /** @type {HTMLOutputElement} */ (document.getElementById("signing-status"));

/** @param {string} id */
function input(id) {
  return /** @type {HTMLInputElement} */ (document.getElementById(id));
}

/**
 * What the fields amount to: credentials to sign with, or in words why there are none.
 * @returns {{ state: "empty" | "wrong", text: string, credentials?: undefined }
 *   | { state: "ready", text: string, credentials: Credentials }}
 */
function read() {
  const apiKey = keyInput.value.trim();
  const secret = secretInput.value.trim();
  const wrong = (/** @type {string} */ text) => ({ state: /** @type {const} */ ("wrong"), text });

  // Browsers offer crypto.subtle only over https and on the machine itself.
  if (!window.isSecureContext) {
    return wrong("Can't sign here: open this page over https or on localhost.");
  }
  if (apiKey === "" || secret === "") {
    return { state: "empty", text: "Not signing: enter a key and its secret." };
  }
  // The key travels in a header. A secret pasted there by mistake must not.
  if (apiKey.startsWith("sk_") || apiKey === secret) {
    return wrong("Not signing: the first field holds a secret.");
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    return wrong("Not signing: a key has no spaces or accents.");
  }
  const shown = apiKey.length > 20 ? `${apiKey.slice(0, 12)}…${apiKey.slice(-4)}` : apiKey;
  return { state: "ready", text: `Signing as ${shown}`, credentials: { apiKey, secret } };
}

/** The credentials that Send signs with; undefined if it does not sign. */
export function currentCredentials() {
  return read().credentials;
}

function refresh() {
  const { state, text } = read();
  // Written only when it changes: a screen reader speaks every write.
  if (status.dataset.state !== state || status.value !== text) {
    status.dataset.state = state;
    status.value = text;
  }

  // Session storage belongs to this tab alone and ends with it.
  if (rememberInput.checked) {
    const kept = { apiKey: keyInput.value, secret: secretInput.value };
    sessionStorage.setItem(storageKey, JSON.stringify(kept));
  } else {
    sessionStorage.removeItem(storageKey);
  }
}

/** Fills the bar with the credentials that this tab remembers, and follows every change. */
export function startCredentials() {
  const kept = sessionStorage.getItem(storageKey);
  if (kept) {
    const { apiKey, secret } = JSON.parse(kept);
    keyInput.value = apiKey;
    secretInput.value = secret;
    rememberInput.checked = true;
  }
  for (const field of [keyInput, secretInput, rememberInput]) {
    field.addEventListener("input", refresh);
  }
  refresh();
}
