import type { SandboxResult } from '@patchbay/contracts/panels'
import { type Browser, type Page, sharedChromium, startChromium } from '@patchbay/testkit/chromium'
import { bundlePage, type SandboxSite, serveSandbox } from './sandbox-site.ts'

export interface Bench extends AsyncDisposable {
  readonly site: SandboxSite
  readonly browser: Browser
  /** A page with a sandbox that is ready. */
  open(options?: { readonly connect?: readonly string[] }): Promise<SandboxPage>
}

export interface SandboxPage extends AsyncDisposable {
  readonly page: Page
  evaluate(code: string, timeoutMs?: number): Promise<SandboxResult>
  /** What `code` gives, or an error with what the sandbox said. */
  value(code: string): Promise<unknown>
}

interface Box {
  evaluate(code: string, timeoutMs: number): Promise<SandboxResult>
}
export type Boxes = { boxes: Record<string, Box>; lines: string[]; readies: boolean[] }

/** As on a desktop, where frames of other sites and sandboxed ones have processes of their own. */
const ISOLATED = ['--site-per-process']
const GENEROUS_MS = 20_000

/** @param hasOwnBrowser For code that hangs: its process may outlast the page. */
export async function startBench({ hasOwnBrowser = false } = {}): Promise<Bench> {
  const site = await serveSandbox(await bundlePage(new URL('page.ts', import.meta.url)))
  const browser = await (hasOwnBrowser ? startChromium : sharedChromium)({ args: ISOLATED })
  return {
    site,
    browser,
    async open({ connect = [] } = {}) {
      const context = await browser.newContext({ viewport: { width: 800, height: 600 } })
      const page = await context.newPage()
      await page.goto(site.url)
      await addSandbox(page, 'first', connect)
      const evaluate = (code: string, timeoutMs = GENEROUS_MS) => evaluateIn(page, 'first', code, timeoutMs)
      return {
        page,
        evaluate,
        async value(code) {
          const { status, result, error } = await evaluate(code)
          if (status === 'error') throw new Error(error)
          return result
        },
        [Symbol.asyncDispose]: () => context.close(),
      }
    },
    async [Symbol.asyncDispose]() {
      if (hasOwnBrowser) await browser.close()
      await site[Symbol.asyncDispose]()
    },
  }
}

/** Runs code in the sandbox of this id. */
export async function evaluateIn(
  page: Page,
  id: string,
  code: string,
  timeoutMs = GENEROUS_MS,
): Promise<SandboxResult> {
  return (await page.evaluate(
    ([name, text, limit]) => (globalThis as unknown as Boxes).boxes[name]?.evaluate(text, limit),
    [id, code, timeoutMs] as const,
  )) as SandboxResult
}

/** Makes a sandbox in the element of this id and waits until it is ready. Without such an element there is a new one. */
export async function addSandbox(page: Page, id: string, connect: readonly string[] = []): Promise<void> {
  await page.waitForFunction(() => 'createSandbox' in globalThis)
  await page.evaluate(
    ([name, origins]) =>
      new Promise<void>((resolve) => {
        const shared = globalThis as unknown as Boxes & {
          createSandbox(element: Element | null, options: object): Box
        }
        if (document.querySelector(`#${name}`) === null)
          document.body.append(Object.assign(document.createElement('div'), { id: name }))
        shared.boxes ??= {}
        shared.lines ??= []
        shared.readies ??= []
        shared.boxes[name] = shared.createSandbox(document.querySelector(`#${name}`), {
          connect: origins,
          title: 'Code',
          onReady(isReady: boolean) {
            shared.readies.push(isReady)
            if (isReady) resolve()
          },
          onConsole: ({ level, text }: { level: string; text: string }) =>
            shared.lines.push(`${level}: ${text}`),
        })
      }),
    [id, connect] as const,
  )
}
