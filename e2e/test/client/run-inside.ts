import { randomBytes, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { Readable } from 'node:stream'
import { createProgram } from '@patchbay/cli/program'

export interface Texts {
  stdout: string
  stderr: string
}

class Exit extends Error {
  readonly code: number

  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code
  }
}

/** As `main.ts` does it, in this process, for somebody whose output is a file. Answers the exit code. */
export async function runInside(
  environment: Record<string, string>,
  args: readonly string[],
  texts: Texts,
): Promise<number> {
  const program = createProgram({
    environment,
    host: {
      on: () => undefined,
      exit: (code) => {
        throw new Exit(code ?? 0)
      },
    },
    runId: randomUUID().slice(0, 8),
    createNonce: () => randomBytes(16).toString('base64url'),
    createSecret: () => randomBytes(32).toString('base64url'),
    print: (text) => void (texts.stdout += `${text}\n`),
    printError: (text) => void (texts.stderr += `${text}\n`),
    paint: { out: (_format, text) => text, error: (_format, text) => text },
    hostName: hostname(),
    createId: () => randomUUID(),
    now: () => Date.now(),
    platform: process.platform,
    input: { isInteractive: false, stream: Readable.from([]) },
    writeBytes: () => Promise.resolve(),
    terminal: {
      isInteractive: false,
      columns: () => undefined,
      write: (text) => void (texts.stderr += text),
    },
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof Exit) return error.code
    throw error
  }
}
