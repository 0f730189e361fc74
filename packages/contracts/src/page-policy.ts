/**
 * The Content-Security-Policy of every page we serve: our own files only, and no inline script or style. The server sends
 * it and the web app must live with it, so both take it from here.
 */
export const PAGE_CSP = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "object-src 'none'",
].join('; ')
