// Security headers of HTML pages and their files.

export const fileHeaders = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

/** Allows only this origin, and inline styles with the nonce, if there is one. `more` adds directives. */
export function pageHeaders(nonce: string | undefined, ...more: string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    nonce === undefined ? "style-src 'self'" : `style-src 'self' 'nonce-${nonce}'`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...more,
  ];
  return {
    "content-security-policy": policy.join("; "),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store", // The nonce is good for one answer.
  };
}
