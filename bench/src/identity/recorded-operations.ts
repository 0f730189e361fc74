import { numbered } from './intents.ts'
import { HTTP, OPERATIONS, type OperationName, requireParameters } from './operations.ts'
import type { Browser } from './people.ts'
import { recordStatements } from './recorded-statements.ts'
import type { Rig } from './rig.ts'

/** What each operation makes a server send. */
export async function recordOperations(
  rig: Rig,
): Promise<Readonly<Record<OperationName, readonly string[]>>> {
  const recorded: Partial<Record<OperationName, readonly string[]>> = {}
  for (const operation of OPERATIONS) {
    const { challenge, usesUp } = HTTP[operation]
    await rig.reset({ from: 1, count: 1 }, challenge)
    const ask = () => askOnce(rig.logged.port, rig.browsers, operation)
    // The first poll of an intent notes its caller; the measurement polls each of them many times.
    if (!usesUp) await ask()
    const statements = await recordStatements(rig.postgres, ask)
    requireParameters(operation, statements)
    recorded[operation] = statements
  }
  return recorded as Record<OperationName, readonly string[]>
}

/** One operation, on the first intent. */
export async function askOnce(
  port: number,
  browsers: readonly Browser[],
  operation: OperationName,
): Promise<void> {
  const { method, path, body, headers, isByPerson } = HTTP[operation]
  const { cookie = '', csrf = '' } = browsers[1] ?? {}
  const person = { Cookie: cookie, 'X-CSRF-Token': csrf, Origin: `http://localhost:${port}` }
  const answer = await fetch(`http://127.0.0.1:${port}${path.replace('{token}', numbered(1))}`, {
    method,
    headers: { ...headers, ...(isByPerson ? person : {}) },
    ...(body === undefined ? {} : { body }),
  })
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status} ${await answer.text()}`)
}
