import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { startProcess } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, expect } from 'vitest'
import { createEasel, type Easel, heading } from './pictures.ts'
import { says, startProvider } from './provider.ts'

const SCRIPT = fileURLToPath(new URL('./name-one.ts', import.meta.url))
const RECORDER = fileURLToPath(new URL('./recorder.ts', import.meta.url))
const LIBRARIES = /node_modules\/(?:@anthropic-ai|openai)\//
const LONG_MS = 120_000

let easel: Easel
let picture: string
beforeAll(async () => {
  easel = await createEasel()
  const drawn = await easel.draw(heading('Motor controller settings'))
  picture = drawn.original
})
afterAll(() => easel[Symbol.asyncDispose]())

interface Ran {
  readonly output: string
  readonly records: readonly string[]
  /** What the process left in the folder it ran in. */
  readonly files: readonly string[]
  readonly code: number | null
}

async function nameInProcess(name: string, ...args: string[]): Promise<Ran> {
  const cwd = join(easel.folder, name)
  await mkdir(cwd)
  const recordFile = join(easel.folder, `${name}.txt`)
  const recorder = pathToFileURL(RECORDER)
  recorder.searchParams.set('to', recordFile)
  await using ran = startProcess(process.execPath, ['--import', recorder.href, SCRIPT, picture, ...args], {
    cwd,
  })
  const [code] = await ran.exited
  const records = (await readFile(recordFile, 'utf8')).trimEnd().split('\n')
  return { output: ran.output(), records, files: await readdir(cwd), code }
}

test(
  '[E-89][E-97][E-98][E-101] text is read without network, libraries of providers, files, remarks or a busy main thread',
  async () => {
    const { output, records, files, code } = await nameInProcess('text')
    expect(code).toBe(0)
    const { answer, busiestMs } = JSON.parse(output) as { answer: unknown; busiestMs: number }
    expect(answer).toEqual({ name: 'motor-controller-settings', by: 'text' })
    // Time of the processor, so that others who use it do not count.
    expect(busiestMs).toBeLessThan(50)
    expect(records.filter((record) => / (?:connect|lookup) /.test(record))).toEqual([])
    expect(records.filter((record) => LIBRARIES.test(record))).toEqual([])
    expect(files).toEqual([])
    // The main thread, ours, and the engine's.
    expect(records.filter((record) => record.includes(' thread '))).toEqual([
      '0 thread with environment',
      '1 thread without environment',
      '2 thread without environment',
    ])
  },
  LONG_MS,
)

deepTest(
  '[E-89] the library of the provider that is asked is loaded, and no other',
  async () => {
    await using provider = await startProvider(says('named-by-model'))
    const { output, records } = await nameInProcess('model', provider.baseUrl('openai'))
    expect(JSON.parse(output)).toMatchObject({ answer: { name: 'named-by-model', by: 'model' } })
    expect(records.some((record) => record.includes('node_modules/openai/'))).toBe(true)
    expect(records.some((record) => record.includes('@anthropic-ai'))).toBe(false)
    expect(records.some((record) => record.includes(' connect '))).toBe(true)
    expect(records.filter((record) => record.includes(' thread '))).toHaveLength(1)
  },
  LONG_MS,
)
