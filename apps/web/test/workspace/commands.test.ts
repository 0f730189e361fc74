import type { ActingParty, BrowserCommand } from '@patchbay/contracts/panels'
import { expect, test } from 'vitest'
import type { Capturer } from '../../src/workspace/capture-port.ts'
import { createOffers } from '../../src/workspace/commands/offers.ts'
import { type Asked, CommandFault, runCommand } from '../../src/workspace/commands/run-command.ts'
import { createPictureTaker } from '../../src/workspace/commands/take-picture.ts'
import type { DockPort } from '../../src/workspace/dock-port.ts'
import { createCommandHistory } from '../../src/workspace/store/command-history.ts'
import { tabId } from './layouts.ts'

const one = tabId(1)
const EVAL: BrowserCommand = { kind: 'eval', tabId: one, code: '1+1', timeoutMs: 1000 }
const RESULT = { status: 'executed', result: 2, resultType: 'number', durationMs: 1 } as const
type Screenshot = Extract<BrowserCommand, { kind: 'screenshot' }>
const SCREENSHOT: Screenshot = {
  kind: 'screenshot',
  captureId: '0198c2f4-7d1e-7b3a-9c55-2f6e1d0a4b8c',
  scope: 'panel',
  method: 'element-capture',
  tabId: one,
  by: { kind: 'api_key', name: 'Agent', handle: 'ada' },
  reason: 'to see',
}

function ports(offers = createOffers()) {
  const states: unknown[] = []
  return {
    offers,
    states,
    hasTab: (id: string) => id === one,
    takeState: (state: unknown) => void states.push(state),
    takePicture: () => Promise.reject(new CommandFault('sharing_not_enabled', 'not shared')),
  }
}

test('[W-265] a command is new once, then running, then answered as before', () => {
  const book = createCommandHistory()
  expect(book.begin('a')).toBe('new')
  expect(book.begin('a')).toBe('running')
  const answer = { type: 'done', id: 'a' } as const
  book.finish(answer)
  expect(book.begin('a')).toBe(answer)
})

test('[W-265] the latest 200 answers are remembered, and whatever still runs', () => {
  const book = createCommandHistory()
  book.begin('runs')
  for (let at = 0; at < 300; at += 1) {
    book.begin(`c${at}`)
    book.finish({ type: 'done', id: `c${at}` })
  }
  expect(book.begin('runs')).toBe('running')
  expect(book.begin('c299')).toEqual({ type: 'done', id: 'c299' })
  expect(book.begin('c0')).toBe('new')
})

test('[W-266] code for a tab that is not there fails', async () => {
  const answer = await runCommand('x', { ...EVAL, tabId: tabId(5) }, ports())
  expect(answer).toMatchObject({ type: 'failed', id: 'x', code: 'no_such_tab' })
})

test('[W-266] code for a panel without a frame fails', async () => {
  const offers = createOffers()
  offers.add(one, {})
  expect(await runCommand('x', EVAL, ports(offers))).toMatchObject({ type: 'failed', code: 'not_ready' })
})

test('[W-266] code for a panel that is being loaded waits for it', async () => {
  const offers = createOffers()
  const answer = runCommand('x', EVAL, ports(offers))
  offers.add(one, { evaluate: () => Promise.resolve(RESULT) })
  expect(await answer).toEqual({ type: 'done', id: 'x', evaluation: RESULT })
})

test('[W-266] a state is taken over, and done when the panel shows it', async () => {
  const offers = createOffers()
  const shown: number[] = []
  offers.add(one, { shows: async (revision) => void shown.push(revision) })
  const all = ports(offers)
  const command = { kind: 'show', tabId: one, revision: 7, state: { url: 'https://example.com/' } } as const
  expect(await runCommand('x', command, all)).toEqual({ type: 'done', id: 'x' })
  expect(shown).toEqual([7])
  expect(all.states).toEqual([{ tabId: one, revision: 7, state: { url: 'https://example.com/' } }])
})

test('[W-266] an offer that was taken back is gone', async () => {
  const offers = createOffers()
  const takeBack = offers.add(one, {})
  takeBack()
  expect(await offers.find(one, 10)).toBeUndefined()
})

/** A dock and a capturer that write down what they are asked for. */
function scene({
  isSharing = true,
  fails = false,
  screenFor = undefined as ActingParty | undefined,
  quietSeconds = 0,
} = {}) {
  const steps: string[] = []
  const asked: Asked[] = []
  const patience: (number | undefined)[] = []
  const element = { nodeName: 'PANEL' } as unknown as HTMLElement
  const capturer: Capturer = {
    isSharing: (scope) => isSharing && (scope !== 'screen' || screenFor !== undefined),
    subscribe: () => () => undefined,
    start: () => Promise.resolve(),
    stop: () => undefined,
    async capture({ scope, withinMs }) {
      steps.push(`capture ${scope}`)
      patience.push(withinMs)
      await Promise.resolve()
      if (fails) throw new Error('no frame came')
      steps.push('captured')
      return { png: new Blob(), width: 10, height: 5, scale: 1, engine: 'restriction-target' }
    },
  }
  const dock: DockPort = {
    element,
    focusTab: () => undefined,
    currentTab: () => undefined,
    shownBeside: () => undefined,
    follow: () => false,
    showTab: () => undefined,
    bringForward: async (id) => {
      steps.push('forward')
      return id === one ? { element, wasActivated: true, putBack: () => void steps.push('back') } : undefined
    },
  }
  const offers = createOffers()
  const taker = createPictureTaker({
    capturer,
    offers,
    dock: () => dock,
    askToShare: (request) => {
      asked.push(request)
      return quietSeconds
    },
    screenFor: () => screenFor,
    upload: async () => void steps.push('upload'),
  })
  const take = (command: Screenshot, deadlineMs = 10_000) => taker(command, deadlineMs)
  return { steps, asked, offers, patience, take }
}

test('[W-267] without sharing a picture is refused, and the person told who asks and why', async () => {
  const { take, asked, steps } = scene({ isSharing: false })
  await expect(take(SCREENSHOT)).rejects.toMatchObject({ code: 'sharing_not_enabled' })
  expect(asked).toEqual([{ by: SCREENSHOT.by, reason: 'to see', scope: 'panel' }])
  expect(steps).toEqual([])
})

test('[W-360] F9: whom the person has declined is told so, with the seconds that are left', async () => {
  const { take } = scene({ isSharing: false, quietSeconds: 42 })
  const declined = { code: 'sharing_declined', retryAfterSeconds: 42 }
  await expect(take(SCREENSHOT)).rejects.toMatchObject(declined)
  const answer = await runCommand('c1', SCREENSHOT, { ...ports(), takePicture: take })
  expect(answer).toMatchObject({ type: 'failed', ...declined })
})

test('[W-451] C4: whoever gives more time waits longer for the picture', async () => {
  const { take, patience } = scene()
  await take(SCREENSHOT, 60_000)
  await take({ ...SCREENSHOT, scope: 'workspace', tabId: null }, 10_000)
  await take(SCREENSHOT, 1_000)
  expect(patience).toEqual([57_000, 7_000, 0])
})

test('[W-267] a page that is shared is no screen that is', async () => {
  const { take, asked, steps } = scene()
  const request = { ...SCREENSHOT, scope: 'screen', tabId: null } as const
  await expect(take(request)).rejects.toMatchObject({ code: 'sharing_not_enabled' })
  expect([asked.map(({ scope }) => scope), steps]).toEqual([['screen'], []])
})

test('[W-267] a screen that is shared with one who asked is shared with nobody else', async () => {
  const { take, asked, steps } = scene({ screenFor: SCREENSHOT.by })
  const request = { ...SCREENSHOT, scope: 'screen', tabId: null } as const
  const another = { ...SCREENSHOT.by, name: 'Another agent' }
  await expect(take({ ...request, by: another })).rejects.toMatchObject({ code: 'sharing_not_enabled' })
  expect([asked.map(({ by }) => by), steps]).toEqual([[another], []])
  await take(request)
  expect(steps).toContain('captured')
})

test('[W-268] pictures are taken one after the other, each with its tab brought forward and put back', async () => {
  const { take, steps } = scene()
  const [first] = await Promise.all([
    take(SCREENSHOT),
    take({ ...SCREENSHOT, scope: 'workspace', tabId: null }),
  ])
  expect(first).toEqual({ engine: 'restriction-target', width: 10, height: 5, scale: 1, wasActivated: true })
  expect(steps).toEqual([
    'forward',
    'capture panel',
    'captured',
    'back',
    'upload',
    'capture workspace',
    'captured',
    'upload',
  ])
})

test('[W-268] the tab is put back when the picture fails, and the next one is taken', async () => {
  const { take, steps } = scene({ fails: true })
  await expect(take(SCREENSHOT)).rejects.toThrow('no frame came')
  expect(steps).toEqual(['forward', 'capture panel', 'back'])
  await expect(take({ ...SCREENSHOT, tabId: tabId(3) })).rejects.toMatchObject({ code: 'no_such_tab' })
})

test('[W-268] a panel that draws itself is asked, and needs no sharing', async () => {
  const { take, offers, asked, steps } = scene({ isSharing: false })
  offers.add(one, { takePicture: async () => ({ png: new Blob(), width: 4, height: 3, scale: 2 }) })
  expect(await take({ ...SCREENSHOT, method: 'html2canvas' })).toMatchObject({ engine: 'snapdom', scale: 2 })
  expect([asked, steps]).toEqual([[], ['upload']])
})
