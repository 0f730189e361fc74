import { createHash } from 'node:crypto'

export interface OidcAccount {
  readonly sub: string
  readonly email: string
  readonly name: string
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5a6675; --page: #f2f4f7; --card: #fff; --line: #d5dbe3; --accent: #1f5fd6; --on-accent: #fff }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ecf2; --soft: #9fabba; --page: #12161c; --card: #1b2129; --line: #35404d; --accent: #7fb0ff; --on-accent: #0c1a30 }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; padding: 1rem; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { width: min(26rem, 100%); padding: 2rem 1.5rem 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; overflow-wrap: anywhere }
h1 { margin: 0 0 .25rem; font-size: 1.375rem; line-height: 1.3 }
p { margin: 0 0 1.25rem; color: var(--soft) }
ul { margin: 0 0 1.5rem; padding-left: 1.25rem }
form { display: grid; gap: .625rem; margin: 0 }
form + form { margin-top: .625rem }
button { display: block; width: 100%; min-height: 3rem; padding: .625rem 1rem; border: 1px solid var(--line); border-radius: .625rem; background: transparent; color: inherit; font: inherit; cursor: pointer }
button:hover { border-color: var(--accent) }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
button.account { text-align: left }
button.account small { display: block; color: var(--soft); font-size: .875rem }
button.main { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600 }
button.plain { border-color: transparent; color: var(--soft); text-decoration: underline }
footer { margin-top: 1.25rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .8125rem }
`

/**
 * No script runs and nothing is fetched. There is no `form-action`: Chromium applies it to the redirects that
 * follow a submitted form as well, so it would block the way back to the application.
 */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

const SCOPE_MEANINGS: ReadonlyMap<string, string> = new Map([
  ['openid', 'Know who you are'],
  ['profile', 'See your name'],
  ['email', 'See your e-mail address'],
  ['offline_access', 'Stay signed in when you are away'],
])

/** Who is signing in? Every account is one button; a password is never asked for. */
export function accountPage(uid: string, clientName: string, accounts: readonly OidcAccount[]): string {
  const choices = accounts.map(
    ({ sub, name, email }) =>
      `<button class="account" name="account" value="${escapeHtml(sub)}">${escapeHtml(name)} <small>${escapeHtml(email)}</small></button>`,
  )
  return page(
    'Choose an account',
    `<p>to continue to ${escapeHtml(clientName)}</p>
${form(uid, 'login', choices.join('\n'))}
${form(uid, 'abort', '<button class="plain">Cancel</button>')}`,
  )
}

export function consentPage(
  uid: string,
  clientName: string,
  account: OidcAccount,
  scopes: readonly string[],
): string {
  const items = scopes.map((scope) => `<li>${escapeHtml(SCOPE_MEANINGS.get(scope) ?? scope)}</li>`)
  return page(
    `${clientName} asks for access`,
    `<p>as ${escapeHtml(account.name)}, ${escapeHtml(account.email)}</p>
${items.length > 0 ? `<ul>${items.join('')}</ul>` : ''}
${form(uid, 'consent', '<button class="main">Allow</button>')}
${form(uid, 'abort', '<button>Decline</button>')}
${form(uid, 'switch', '<button class="plain">Use another account</button>')}`,
  )
}

export function messagePage(title: string, text: string, extraHtml = ''): string {
  return page(title, `<p>${escapeHtml(text)}</p>${extraHtml}`)
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
<footer>Development sign-in. The accounts are made up and nobody is asked for a password.</footer>
</main>
</body>
</html>
`
}

function form(uid: string, action: string, content: string): string {
  return `<form method="post" action="/interaction/${encodeURIComponent(uid)}/${action}">${content}</form>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
