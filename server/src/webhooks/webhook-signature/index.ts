// What other nouns use of webhook-signature. The rest of this folder is private to it.

export { decodeSecret, deliveryHeaders, secretPrefix, signDelivery, webhookKey } from "./sign.ts";
