// The path of the sign-in library behind the console, and the header by which it learns the address of a browser.

export const authPath = "/console/api/auth";
/** Ours, never the caller's: who calls from where is decided before. */
export const addressHeader = "x-disburse-client-address";
