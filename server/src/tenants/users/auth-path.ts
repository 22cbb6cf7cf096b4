// The path of the sign-in library behind the console, and the header that gives it the browser's IP address.

export const authPath = "/console/api/auth";
/** Set by us, never by the caller: the caller's IP address is determined before. */
export const addressHeader = "x-disburse-client-address";
