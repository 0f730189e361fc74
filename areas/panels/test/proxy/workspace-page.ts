import type { Page } from '@patchbay/testkit/chromium'
import { type Site, startSite } from './sites.ts'
import { startProxy, type TestProxy } from './start-proxy.ts'

export interface Told {
  readonly type: string
  readonly url?: string
  readonly title?: string
  readonly what?: string
  readonly x?: number
  readonly y?: number
  readonly maxY?: number
}

/** A page that shows one frame, as the workspace does, and keeps what the frame tells it. */
const WORKSPACE = `<!doctype html><title>Workspace</title>
<iframe id="view" style="width:600px;height:400px" sandbox="allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox"></iframe>
<script>
  document.cookie = 'ours=secret'
  localStorage.setItem('ours', 'secret')
  const view = document.getElementById('view')
  const told = []
  addEventListener('message', (event) => {
    if (event.source === view.contentWindow && event.origin === 'null') told.push({ ...event.data, at: performance.now() })
  })
  view.src = new URLSearchParams(location.search).get('show')
</script>`

export interface Setup extends AsyncDisposable {
  readonly proxy: TestProxy
  readonly workspace: Site
  /** The workspace with a page in its frame, through the proxy. */
  addressOf(url: string): Promise<string>
}

/** On the same host as the proxy: cookies do not care for ports, so nothing but the sandbox is in the way. */
export async function startWorkspace(): Promise<Setup> {
  await using cleanup = new AsyncDisposableStack()
  const workspace = cleanup.use(
    await startSite((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(WORKSPACE)
    }),
  )
  const publicUrl = `http://localhost:${workspace.port}`
  const proxy = cleanup.use(await startProxy({ settings: { publicUrl } }))
  const owned = cleanup.move()
  return {
    proxy,
    workspace,
    addressOf: async (url) =>
      `${publicUrl}/?show=${encodeURIComponent((await proxy.openTicket({ url })) + encodeURIComponent(url))}`,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export async function readTold(page: Page, type: string): Promise<(Told & { readonly at: number })[]> {
  const told = (await page.evaluate('told')) as (Told & { readonly at: number })[]
  return told.filter((message) => message.type === type)
}

/** The last place that the workspace was told. */
export async function readPlace(page: Page): Promise<[url: string | undefined, title: string | undefined]> {
  const last = (await readTold(page, 'patchbay:page')).at(-1)
  return [last?.url, last?.title]
}
