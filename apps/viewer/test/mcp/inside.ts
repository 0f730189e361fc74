import { PassThrough } from 'node:stream'
import type { Surroundings } from '@patchbay/kernel/lifecycle'
import { waitUntil } from '@patchbay/testkit/processes'
import { runMcp } from '../../src/index.ts'
import type { ToolResult } from './agents.ts'
import type { Desk } from './rig.ts'

/** `patchbay mcp` in this process, for what a process of its own adds nothing to. */
export interface InsideMcp extends AsyncDisposable {
  readonly exits: readonly number[]
  /** On standard error. */
  readonly words: readonly string[]
  /** On standard output. */
  output(): string
  call(name: string, given?: Record<string, unknown>): Promise<ToolResult>
}

export interface InsideOptions {
  readonly project?: string
  readonly url?: string
  readonly env?: Record<string, string>
}

const PATIENT = { deadlineMs: 60_000, intervalMs: 10 }

/** As an agent starts it, for the project of the desk unless told otherwise. */
export async function startInside(
  desk: Desk,
  { url, project = url === undefined ? desk.project : undefined, env = {} }: InsideOptions = {},
): Promise<InsideMcp> {
  const exits: number[] = []
  const words: string[] = []
  const [input, output] = [new PassThrough(), new PassThrough()]
  let answered = ''
  output.on('data', (chunk: Buffer) => {
    answered += chunk.toString('utf8')
  })
  const surroundings: Surroundings = {
    environment: { ...desk.env, ...env },
    host: { on: () => undefined, exit: (code) => void exits.push(code) },
    runId: 'test',
    alsoKnown: ['PATCHBAY_SERVER_URL', 'PATCHBAY_API_KEY'],
    createNonce: () => crypto.randomUUID(),
    createSecret: () => crypto.randomUUID(),
    print: () => undefined,
    printError: (text) => void words.push(text),
  }
  let asked = 0
  const ask = async (method: string, params: object) => {
    if (exits.length > 0) throw new Error(`it has ended: ${words.join('\n')}`)
    asked += 1
    const id = asked
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    const answerIn = () =>
      answered
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { readonly id?: number; readonly result?: ToolResult })
        .find((message) => message.id === id)
    await waitUntil(`${method} is answered`, () => answerIn() !== undefined, PATIENT)
    const result = answerIn()?.result
    if (result === undefined) throw new Error(`${method} was refused: ${answered}`)
    return result
  }
  await runMcp(surroundings, { project, url, input, output })
  if (exits.length === 0) {
    const clientInfo = { name: 'test', version: '1' }
    await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    input.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  }
  return {
    exits,
    words,
    output: () => answered,
    call: (name, given = {}) => ask('tools/call', { name, arguments: given }),
    async [Symbol.asyncDispose]() {
      input.end()
      await waitUntil('it has ended', () => exits.length > 0, PATIENT)
    },
  }
}
