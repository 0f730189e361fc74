import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the library's browser part is: compiled in a published package, TypeScript in this repository. */
const BROWSER_ENTRY = new URL(import.meta.resolve('@patchbay/oauth-client/browser'))

export const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bench notes</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
<script type="module" src="/page.js"></script>
</head>
<body>
<main>
<h1>Bench notes</h1>
<p>A small service on a throw-away address. It connects to Example ID through a Patchbay gateway, and keeps the tokens itself.</p>
<p id="state" role="status">Asking …</p>
<p id="words" hidden>The gateway may ask you to confirm. It shows these words: <strong></strong></p>
<button id="connect" hidden>Connect to Example ID</button>
</main>
</body>
</html>
`

export const SCRIPT = `import { connect } from '/browser/${basename(BROWSER_ENTRY.pathname)}'

const [state, words, button] = ['state', 'words', 'connect'].map((id) => document.getElementById(id))

const greet = async () => {
  const answer = await fetch('/me')
  const person = await answer.json()
  state.textContent = answer.ok ? 'Connected as ' + person.name : person.message
  words.hidden = true
  button.hidden = answer.ok
}

const showPhrase = ({ phrase }) => {
  words.hidden = phrase === undefined
  words.querySelector('strong').textContent = phrase ?? ''
}

button.onclick = async () => {
  button.disabled = true
  state.textContent = 'Waiting for you to come back from the provider …'
  try {
    await connect({ authUrl: '/auth', statusUrl: '/status', onStatus: showPhrase })
    await greet()
  } catch (error) {
    words.hidden = true
    state.textContent = error.message
  }
  button.disabled = false
}

const { configured } = await (await fetch('/status')).json()
if (configured) await greet()
else {
  state.textContent = 'Not connected'
  button.hidden = false
}
`

export const STYLE = `:root { color-scheme: light dark; --ink: #1c1917; --soft: #57534e; --page: #f5f4f0; --card: #fffefc; --line: #d6d3cc; --accent: #c2410c; --on-accent: #fff }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f2f0ec; --soft: #a8a29e; --page: #121110; --card: #1c1a18; --line: #3a3633; --accent: #fb923c; --on-accent: #1c1917 }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; padding: 1rem; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { width: min(30rem, 100%); padding: 2rem 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem }
h1 { margin: 0 0 .5rem; font-size: 1.5rem }
p { margin: 0 0 1rem; color: var(--soft) }
#state { color: var(--ink); font-weight: 600 }
strong { display: block; color: var(--ink); font-size: 1.25rem }
button { width: 100%; min-height: 3rem; border: 0; border-radius: .625rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer }
button:disabled { opacity: .6; cursor: default }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
[hidden] { display: none }
`

/** A file of the library's browser part, as a browser can read it. */
export function browserModule(path: string): string | undefined {
  const name = /^\/browser\/([a-z-]+\.[jt]s)$/.exec(path)?.[1]
  if (name === undefined) return undefined
  try {
    const text = readFileSync(fileURLToPath(new URL(name, BROWSER_ENTRY)), 'utf8')
    return name.endsWith('.ts') ? stripTypeScriptTypes(text) : text
  } catch {
    return undefined
  }
}
