import type { EvalOutcome } from '@patchbay/contracts/panels'
import type { Page } from '@patchbay/testkit/chromium'
import { waitUntil } from '@patchbay/testkit/processes'
import type { Workspace } from '../workspace-pages/workspace.ts'

/** Has code run, and waits for what comes of it also where it has to wait its turn. */
export async function run(
  at: Workspace,
  panelId: string,
  code: string,
  timeoutMs = 5_000,
): Promise<EvalOutcome> {
  const path = '/api/panels/sandbox/:ref'
  const outcome = (await at.call('PATCH', path, { panelId, action: 'eval', code, timeoutMs })) as EvalOutcome
  if (outcome.status !== 'queued') return outcome
  return (await at.call('GET', `${path}/evals/${outcome.id}?waitMs=30000`)) as EvalOutcome
}

/** Code that notes in its frame that it ran, and answers its number. */
export const noting = (number: number, takesMs = 0) =>
  `(globalThis.ran ??= []).push(${number}); new Promise((done) => setTimeout(() => done(${number}), ${takesMs}))`

/** The numbers of what has run in the sandbox of a page. */
export async function ranIn(page: Page): Promise<number[]> {
  const frame = page.frames().find((each) => new URL(each.url()).pathname === '/panels/sandbox-frame')
  if (frame === undefined) throw new Error('the page has no sandbox')
  return await frame.evaluate<number[]>('globalThis.ran ?? []')
}

export async function sandboxIsReady(page: Page): Promise<void> {
  await page.getByText('Ready', { exact: true }).waitFor()
}

/** Waits until commands run in this page, of so many that have the workspace open. */
export async function acts(page: Page, pages = 2): Promise<void> {
  await page.getByText(`Commands run in this browser, of ${pages}`).waitFor()
}

/** How long it takes until code runs again, by a caller who tries again when nothing came of it. */
export async function untilItRuns(at: Workspace, panelId: string, number: number): Promise<EvalOutcome[]> {
  const outcomes: EvalOutcome[] = []
  await waitUntil(
    'code runs again',
    async () => {
      const outcome = await run(at, panelId, noting(number))
      outcomes.push(outcome)
      return outcome.status === 'executed'
    },
    { deadlineMs: 30_000, intervalMs: 1 },
  )
  return outcomes
}
