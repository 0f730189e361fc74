import type { Page } from '@patchbay/testkit/chromium'
import { bundlePage, type SandboxSite, serveSandbox } from '../sandbox/sandbox-site.ts'

/** The whole browser: the one without windows cannot share anything. */
export const WHOLE = { isWhole: true, args: ['--auto-accept-this-tab-capture'] }

export const COLORS = [
  [255, 0, 0],
  [0, 170, 0],
  [0, 0, 255],
  [255, 204, 0],
  [128, 128, 128],
  [17, 34, 51],
  [250, 128, 200],
  [0, 180, 200],
] as const
/** The color of what lies over the panel, which no picture of the panel may hold. */
export const OVERLAY = [255, 0, 255]
export const INNER = [30, 144, 255]

/** A page of another origin, for a frame inside the panel. */
export async function serveOther(): Promise<SandboxSite> {
  return await serveSandbox(
    new Map(),
    `<!doctype html><html lang="en"><title>Other</title><body style="margin:0;background:rgb(${INNER})"></body></html>`,
    "default-src 'none'; style-src 'unsafe-inline'",
  )
}

export async function serveCapture(other: string): Promise<SandboxSite> {
  const files = await bundlePage(new URL('page.ts', import.meta.url))
  const swatches = COLORS.map((color) => `<i style="background:rgb(${color})"></i>`).join('')
  return await serveSandbox(
    files,
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Capture</title>
<link rel="stylesheet" href="/page.css"><script type="module" src="/page.js"></script><style>
body{margin:0;background:#fff} #panel,#flat{position:absolute;left:40px;width:400px;height:300px;background:#fff}
#panel{top:30px;isolation:isolate} #flat{top:340px} i{position:relative;float:left;width:50px;height:100px}
iframe{position:absolute;top:150px;left:0;border:0;width:400px;height:150px}
#overlay{position:fixed;z-index:9;top:60px;left:100px;width:100px;height:100px;background:rgb(${OVERLAY})}
</style></head><body><main><div id="panel">${swatches}<iframe title="Other" src="${other}"></iframe></div>
<div id="flat">flat</div></main><div id="overlay"></div><button>Share</button></body></html>`,
    // Styles and frames of other origins, as the page of a workspace has them.
    "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-src *; img-src blob:",
  )
}

/** Presses the button that the person answers with, and shares. */
export async function share(
  page: Page,
  scope: 'workspace' | 'screen',
  time: 'until stopped' | 'one picture' = 'until stopped',
): Promise<void> {
  await page.evaluate(
    ([wanted, howLong]) => {
      const { capturer } = globalThis as unknown as {
        capturer: { start(scope: string, time: string): Promise<void> }
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      Object.assign(globalThis, { started: promise })
      document
        .querySelector('button')
        ?.addEventListener('click', () => void capturer.start(wanted, howLong).then(resolve, reject), {
          once: true,
        })
    },
    [scope, time] as const,
  )
  await page.getByRole('button', { name: 'Share' }).click()
  await page.evaluate(() => (globalThis as unknown as { started: Promise<void> }).started)
}
