/** What is copied into a bug report. The query is left out: it may hold a token. */
export function errorDetails(error: unknown, pathname: string): string {
  return [`page: ${pathname}`, `browser: ${navigator.userAgent}`, '', trace(error)].join('\n')
}

/** The stack of Chromium begins with the message, those of Firefox and Safari do not. */
function trace(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const message = `${error.name}: ${error.message}`
  const stack = error.stack ?? ''
  return stack.startsWith(message) ? stack : `${message}\n${stack}`
}
