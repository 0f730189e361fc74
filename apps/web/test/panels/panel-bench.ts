import { setTimeout as sleep } from 'node:timers/promises'
import { workspacePolicy } from '@patchbay/contracts/core'
import {
  openPage,
  type Page,
  type PageOptions,
  sharedChromium,
  type WatchedPage,
} from '@patchbay/testkit/chromium'
import { afterAll, beforeAll, onTestFailed } from 'vitest'
import { assertFaults } from '../bench.ts'
import { type Site, serveApp, untilTheEnd } from '../site.ts'
import type { Mounting } from './bench/mount.ts'
import { buildBench } from './build-bench.ts'
import { answerSandbox, answerSession } from './sites.ts'

export const WIDE = { width: 900, height: 560 }
/** For what is waited for: on a machine that others use a second is nothing. */
export const soon = { timeout: 20_000 }
/** A request that is never answered, as some tests have it, is not waited for longer. */
const ANSWERED_WITHIN_MS = 1_000
export const NARROW = { width: 240, height: 560 }

export interface PanelVisit extends WatchedPage {
  readonly site: Site
  /** As the server tells it after somebody else changed something; answers the new revision. */
  patch(patch: Record<string, unknown>): Promise<number>
  /** What the panel has stored so far, one patch after the other. */
  stored(): Promise<Record<string, unknown>[]>
}

export interface PanelBenchOptions {
  /** Flags of the browser. */
  readonly args?: readonly string[]
  /** Where media may come from. */
  readonly mediaOrigins?: readonly string[]
  /** Faults of the browser itself, which come or do not. */
  readonly tolerated?: RegExp
}

export interface ShowOptions extends PageOptions {
  readonly prepare?: (site: Site) => void
  readonly alsoTolerated?: RegExp
  /** In a page of its own, for a test that changes the page itself. */
  readonly isAlone?: boolean
}

interface Stage {
  readonly watched: WatchedPage
  readonly site: Site
  /** What the page has asked for and not got yet. */
  readonly asked: ReadonlySet<unknown>
}

/**
 * One build for all test files, and the browser of their process. Panels are shown one after the other on a page that the
 * tests of a file share, for each set of options that a page cannot change: loading it takes longer than most tests.
 */
export function usePanelBench({ args = [], mediaOrigins = [], tolerated }: PanelBenchOptions = {}) {
  let folder: string
  const stages = new Map<string, Stage>()
  beforeAll(async () => {
    folder = await buildBench()
  }, 120_000)
  afterAll(async () => {
    for (const stage of stages.values()) await close(stage)
  })

  async function openStage(options: PageOptions): Promise<Stage> {
    const site = await serveApp(folder, { 'content-security-policy': workspacePolicy(mediaOrigins) })
    answerSandbox(site)
    answerSession(site)
    const watched = await openPage(await sharedChromium({ args }), options)
    const asked = new Set<unknown>()
    watched.page.on('request', (request) => asked.add(request))
    watched.page.on('requestfinished', (request) => asked.delete(request))
    watched.page.on('requestfailed', (request) => asked.delete(request))
    await watched.page.goto(site.url)
    return { watched, site, asked }
  }

  async function close({ watched, site }: Stage): Promise<void> {
    await watched.page.context().close()
    await site[Symbol.asyncDispose]()
  }

  return {
    async show(mounting: Mounting, options: ShowOptions = {}): Promise<PanelVisit> {
      const { prepare, alsoTolerated, isAlone = false, expectedFaults = [], ...others } = options
      const { viewport = WIDE, colorScheme = 'light', reducedMotion = 'reduce', ...context } = others
      const key = JSON.stringify(context)
      const stage = (isAlone ? undefined : stages.get(key)) ?? (await openStage(context))
      if (!isAlone) stages.set(key, stage)
      const { page } = stage.watched
      // Whatever state it is in now, the next test must not begin with it.
      onTestFailed(async () => {
        if (isAlone) return
        stages.delete(key)
        await close(stage)
      })
      const before = stage.watched.faults().length
      const patterns = [tolerated, alsoTolerated].filter((pattern) => pattern !== undefined)
      const faults = () =>
        stage.watched
          .faults()
          .slice(before)
          .filter((fault) => !patterns.some((pattern) => pattern.test(fault)))
      const { site, end } = untilTheEnd(stage.site)
      prepare?.(site)
      if (viewport !== null) await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme, reducedMotion })
      await mount(page, mounting)
      return {
        ...stage.watched,
        site,
        faults,
        patch: (patch) => page.evaluate((given) => bench.patch(given), patch),
        stored: () => page.evaluate(() => bench.stored as Record<string, unknown>[]),
        async [Symbol.asyncDispose]() {
          if (!page.isClosed()) {
            await page.evaluate(() => bench.unmount())
            await allAnswered(stage)
            await assertFaults(page, faults, expectedFaults)
          }
          end()
          if (isAlone) await close(stage)
        },
      }
    },
  }
}

/** What is on its way when a panel goes would otherwise be asked of the next test's site, and its refusal be a fault there. */
async function allAnswered({ asked }: Stage): Promise<void> {
  const until = performance.now() + ANSWERED_WITHIN_MS
  while (asked.size > 0 && performance.now() < until) await sleep(10)
}

async function mount(page: Page, mounting: Mounting): Promise<void> {
  await page.waitForFunction(() => 'bench' in globalThis)
  await page.evaluate((given) => bench.mount(given), mounting)
}
