// Stored responses about a receiver or its account are under the key of the receiver.

import type { Db, Runner } from "../../platform/db/index.ts";
import type { PersonKey } from "../../platform/encryption/index.ts";
import type { AnswerSeal } from "../../platform/idempotency/index.ts";
import { type Code, Refusal } from "../../platform/refusals/index.ts";

type PersonAnswers = {
  db: Db;
  findKey: (db: Runner) => Promise<PersonKey | undefined>;
  /** The refusal when the receiver was erased since. */
  erased: Code;
};

export function personAnswers({ db, findKey, erased }: PersonAnswers): AnswerSeal {
  return {
    encrypt: async (tx, body, identity) => (await findKey(tx))?.encrypt(body, identity),
    async decrypt(sealed, identity) {
      const key = await findKey(db);
      if (!key) throw new Refusal(erased);
      return key.decrypt(sealed, identity);
    },
  };
}
