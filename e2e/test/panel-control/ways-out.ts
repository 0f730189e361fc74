/** Each gives what it could read; what is forbidden throws. */
export const READINGS: readonly string[] = [
  'parent.document.title',
  'top.document.body.innerHTML',
  'parent.parent.location.href',
  'frameElement.ownerDocument.cookie',
  'document.cookie',
  `localStorage.getItem('secret')`,
  `sessionStorage.getItem('secret')`,
  `new Promise((good, bad) => { const asked = indexedDB.open('x'); asked.onsuccess = good; asked.onerror = () => bad(asked.error) })`,
  `caches.keys()`,
]

/** Each tries to reach `T`, and gives true if it was reached. */
export const WAYS: readonly string[] = [
  `fetch(T, { mode: 'no-cors', credentials: 'include' }).then(() => true)`,
  `new Promise((good) => { const x = new XMLHttpRequest(); x.onload = () => good(true); x.onerror = () => good(false); x.open('GET', T); x.send() })`,
  `new Promise((good) => { const i = new Image(); i.onload = () => good(true); i.onerror = () => good(false); i.src = T })`,
  `new Promise((good) => { const s = new WebSocket(T.replace('http', 'ws')); s.onopen = () => good(true); s.onerror = () => good(false) })`,
  `import(T).then(() => true)`,
  `navigator.sendBeacon(T, 'x') && false`,
]

/** Each tries to lead this frame, or all of the page, to `T`. */
export const ESCAPES: readonly string[] = [
  `location = T`,
  `top.location = T`,
  `open(T)`,
  `const form = document.createElement('form'); form.action = T; document.body.append(form); form.submit()`,
]

/** What came of each: what it gave, or the name of what it threw. */
export const tried = (snippets: readonly string[]) =>
  `const tries = [${snippets.map((snippet) => `async () => ${snippet}`).join(', ')}]
  return await Promise.all(tries.map((attempt) => attempt().catch(({ name }) => name)))`
