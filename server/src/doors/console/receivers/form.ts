// The form of a new receiver: the fields of the API's schema, and the countries to choose from.

import { iso31661Alpha3ToAlpha2 } from "iso-3166";
import { australianStates, NewReceiver, wronglyEmpty } from "../../../people/receivers/index.ts";
import { fieldsOf } from "../../../platform/fields/index.ts";
import type { ReceiverForm } from "../../review-list/index.ts";

const properties = NewReceiver.properties as Record<
  string,
  { minLength?: number; maxLength?: number }
>;

export const receiverForm: ReceiverForm = {
  fields: fieldsOf(NewReceiver).map(({ name, isRequired, meaning, example }) => ({
    name,
    // The API wants some fields to be present although they may be empty.
    is_required: isRequired && properties[name]?.minLength !== 0,
    meaning,
    example,
    chars_max: properties[name]?.maxLength ?? null,
  })),
  countries: Object.entries(iso31661Alpha3ToAlpha2).map(([code, alpha2]) => ({
    code,
    alpha2,
    needs: wronglyEmpty({ country: code, state: "", postcode: "" }),
    states: code === "AUS" ? [...australianStates] : [],
  })),
};
