import type { EvalOutcome, SandboxResult } from '@patchbay/contracts/panels'
import type { CommandOutcome } from '../../src/control.ts'
import type { TestCaller } from '../caller.ts'

export const PATH = '/api/panels/sandbox/ada/board'

export function executed(result: unknown, more: Partial<SandboxResult> = {}): CommandOutcome {
  return { outcome: 'done', result: { evaluation: { status: 'executed', result, durationMs: 1, ...more } } }
}

export async function outcomeOf(answer: Response): Promise<EvalOutcome> {
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as EvalOutcome
}

export async function evaluate(
  caller: TestCaller,
  panelId: string,
  code: string,
  more: object = {},
): Promise<EvalOutcome> {
  return outcomeOf(await caller.send('PATCH', PATH, { panelId, action: 'eval', code, ...more }))
}

export async function fetchEval(caller: TestCaller, id: string, waitMs = 0): Promise<EvalOutcome> {
  return outcomeOf(await caller.ask(`${PATH}/evals/${id}?waitMs=${waitMs}`))
}
