import type { BrowserCommand, WorkspaceRef } from '@patchbay/contracts/panels'
import type { CommandOutcome, Control, Execute, OpenBrowser, QueueRunner } from '../../src/control.ts'

/** Stands for one browser of this node: what a page would answer is said by the test. */
export interface StandIn extends Control {
  browser: OpenBrowser | undefined
  answer: (command: BrowserCommand) => Promise<CommandOutcome> | CommandOutcome
  execute: Execute
  readonly sent: BrowserCommand[]
  readonly options: { readonly deadlineMs: number; readonly canRepeat: boolean }[]
  readonly notified: WorkspaceRef[]
  /** The frame of a tab is there from now on: the control channel has its line run. */
  setReady(at: WorkspaceRef, tabId: string): Promise<void>
  /** No browser, and nothing was sent to one. */
  reset(): void
}

const DONE: CommandOutcome = { outcome: 'done', result: {} }
/** What it does unless the test says otherwise. */
const UNTOLD: Pick<StandIn, 'browser' | 'answer' | 'execute'> = {
  browser: undefined,
  answer: () => DONE,
  execute: async () => ({ outcome: 'no_browser' }),
}

export function createStandIn(runner: () => QueueRunner): StandIn {
  const runIfReady = async (at: WorkspaceRef, tabId: string): Promise<void> => {
    if (standIn.browser?.readyTabs.includes(tabId) === true)
      await runner().run(at, tabId, (evaluation) => standIn.execute(evaluation))
  }
  const runQueued: Control['runQueued'] = (at, tabId) => void runIfReady(at, tabId)
  const standIn: StandIn = {
    ...UNTOLD,
    sent: [],
    options: [],
    notified: [],
    notify: (at) => void standIn.notified.push(at),
    browsers: async () => (standIn.browser === undefined ? [] : [standIn.browser]),
    async send(_at, command, options) {
      if (standIn.browser === undefined) return { outcome: 'no_browser' }
      standIn.sent.push(command)
      standIn.options.push(options)
      return await standIn.answer(command)
    },
    runQueued,
    reset() {
      for (const list of [standIn.sent, standIn.options, standIn.notified]) list.length = 0
      Object.assign(standIn, { ...UNTOLD, runQueued })
    },
    async setReady(at, tabId) {
      const browser = standIn.browser ?? openBrowser()
      standIn.browser = { ...browser, readyTabs: [...browser.readyTabs, tabId] }
      await runIfReady(at, tabId)
    },
  }
  return standIn
}

export function openBrowser(facts: Partial<OpenBrowser> = {}): OpenBrowser {
  return {
    browserId: '0d9c5c0e-5f0c-4b0e-9a3b-1d2f3a4b5c6d',
    node: 'test-1',
    isVisible: true,
    isSharing: false,
    mayAct: true,
    focusedAt: 1,
    readyTabs: [],
    ...facts,
  }
}
