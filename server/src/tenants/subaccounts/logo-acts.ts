// What users do about the logo on the receipts of a subaccount.

import { hash } from "node:crypto";
import Type from "typebox";
import { pictureLimits, readPicture } from "../../platform/documents/index.ts";
import { input, NoFields, required } from "../../platform/fields/index.ts";
import { problem, Refusal } from "../../platform/refusals/index.ts";
import { act } from "../acts/index.ts";
import { removeReceiptLogo, saveReceiptLogo } from "./logo-queries.ts";

const ofLogo = {
  object: "subaccount",
  may: "settings.write",
  in: "open subaccount",
  doors: ["console"],
} as const;
const { bytesMax, pixelsMin, pixelsMax } = pictureLimits;

export const setReceiptLogo = act({
  ...ofLogo,
  name: "subaccount.set_logo",
  summary: "set the logo on the receipts of payouts",
  input: input({
    content: required(
      Type.Unsafe<Uint8Array>({
        description: `The bytes of a PNG or JPEG picture: at most ${bytesMax / 1000} kB, each side ${pixelsMin} to ${pixelsMax} pixels`,
      }),
    ),
  }),
  async run({ tx, who, atMs, subaccount: { id } }, { content }) {
    if (!(content instanceof Uint8Array)) throw new Refusal([problem("CONS107", "content")]);
    const picture = readPicture(content);
    if ("problem" in picture) {
      const { problem: message } = picture;
      throw new Refusal([{ ...problem("CONS515", "content"), message }]);
    }
    await saveReceiptLogo(tx, id, picture, { who, atMs });
    const after = { media_type: picture.type, logo_sha256: hash("sha256", picture.bytes) };
    return { result: undefined, id, after };
  },
});

export const dropReceiptLogo = act({
  ...ofLogo,
  name: "subaccount.remove_logo",
  summary: "remove the logo from the receipts of payouts",
  input: NoFields,
  async run({ tx, subaccount: { id } }) {
    const had = await removeReceiptLogo(tx, id);
    return { result: undefined, id: had ? id : undefined };
  },
});
