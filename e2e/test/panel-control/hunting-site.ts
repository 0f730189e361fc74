import { type LoopbackSite, startLoopbackSite } from './loopback-site.ts'

export interface HuntingSite extends LoopbackSite {
  /** What its page got from another frame and passed on. */
  readonly heard: readonly string[]
  /** How often its page has looked for other frames. */
  hunts(): number
}

/** Passes on whatever it is sent, and looks everywhere for frames that might send something. */
const PAGE = `<!doctype html><html lang="en"><title>Hunter</title><h1>Hunting</h1><script>
  window.name = 'hunter'
  addEventListener('message', ({ data }) => {
    if (String(data).includes('secret')) fetch('/heard?' + encodeURIComponent(data))
  })
  const lure = (frame, depth) => {
    try { frame.postMessage('bait', '*') } catch {}
    for (let i = 0; depth < 4 && i < Math.min(frame.length, 20); i += 1) lure(frame[i], depth + 1)
  }
  setInterval(() => {
    lure(top, 0)
    try { lure(window.open('', 'prey'), 3) } catch {}
    try { lure(top.prey, 3) } catch {}
    fetch('/hunt')
  }, 50)
</script></html>`

/** A page that carries out what code in a neighboring frame tells it, if the two can find each other. */
export async function startHuntingSite(): Promise<HuntingSite> {
  const heard: string[] = []
  let hunts = 0
  const site = await startLoopbackSite(({ url = '/' }, response) => {
    const { pathname, search } = new URL(url, 'http://hunter')
    if (pathname === '/heard') heard.push(decodeURIComponent(search.slice(1)))
    if (pathname === '/hunt') hunts += 1
    if (pathname === '/') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE)
    else response.writeHead(204).end()
  })
  return Object.assign(site, { heard, hunts: () => hunts })
}
