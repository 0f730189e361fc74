import { expect, test } from 'vitest'
import type { CommandOutcome } from '../../src/control.ts'
import { uuidOf } from '../access.ts'
import { evaluate, executed, PATH as SANDBOX } from '../sandbox/evals.ts'
import { PATH as SCREENSHOT, takesPictures } from '../screenshots/pictures.ts'
import { AT, type Calls, codeOf, makeTabs, takeCalls } from '../webview/calls.ts'
import { openBrowser } from '../webview/stand-in.ts'
import { editor } from '../workspaces/current.ts'

const ENDED = [403, 'access_ended']

async function endAccess({ node }: Calls): Promise<void> {
  const path = `${editor(AT.owner, AT.repo)}/access/${uuidOf('ada api_key agent')}`
  const person = node.as('ada', { kind: 'browser', label: 'chromium' })
  expect((await person.send('PUT', path, { isEnded: true })).status).toBe(204)
}

test('[D-274] a picture that comes after the access was ended is shown to nobody', async () => {
  await using calls = await takeCalls()
  await makeTabs(calls.node, ['sandbox'])
  calls.control.browser = openBrowser({ isSharing: true })
  takesPictures(calls)
  const { answer } = calls.control
  calls.control.answer = async (command) => {
    const outcome = await answer(command)
    await endAccess(calls)
    return outcome
  }
  const agent = calls.as('ada', { label: 'agent' })
  expect(await codeOf(await agent.send('PATCH', SCREENSHOT, { scope: 'workspace' }))).toEqual(ENDED)
  const kept = await calls.node.db.selectFrom('captures').select('captured_at').execute()
  expect(kept).toEqual([{ captured_at: null }])
})

test('[D-274] nor is the outcome of code, to whoever runs it or asks for it', async () => {
  await using calls = await takeCalls()
  const [{ panelId, tabId }] = await makeTabs(calls.node, ['sandbox'])
  await calls.control.setReady(AT, tabId)
  const agent = calls.as('ada', { label: 'agent' })
  const held = Promise.withResolvers<CommandOutcome>()
  const begun = Promise.withResolvers<undefined>()
  calls.control.execute = () => {
    begun.resolve(undefined)
    return held.promise
  }
  const running = agent.send('PATCH', SANDBOX, { panelId, action: 'eval', code: '1', timeoutMs: 20_000 })
  await begun.promise
  const [row] = await calls.node.db.selectFrom('sandbox_evals').select('id').execute()
  const asking = agent.ask(`${SANDBOX}/evals/${row?.id}?waitMs=20000`)
  await endAccess(calls)
  held.resolve(executed('secret'))
  expect(await codeOf(await running)).toEqual(ENDED)
  expect(await codeOf(await asking)).toEqual(ENDED)
  const other = calls.as('ada', { label: 'other' })
  calls.control.execute = async () => executed('mine')
  expect(await evaluate(other, panelId, '2')).toMatchObject({ status: 'executed', result: 'mine' })
})
