import { stripHidden } from '@patchbay/primitives/text'
import type { ActionName, LookName, Row } from '@patchbay/server'
import { type Command, InvalidArgumentError } from 'commander'
import { type JsonWord, outcomeOf, wholeNumberOf } from './command/options.ts'
import { Refusal } from './command/refusal.ts'
import { type Loaded, loadProcess, withAllVariables } from './processes.ts'
import type { CliSurroundings } from './terminal/surroundings.ts'
import { tableOf } from './terminal/table.ts'

interface LookWords {
  readonly says: string
  readonly argument?: readonly [name: string, meaning: string]
  readonly nothing: string
}

const LOOKS: Readonly<Record<LookName, LookWords>> = {
  status: {
    says: 'Show what there is: accounts, packages, devices, the queue of board jobs, workers, bytes.',
    nothing: '',
  },
  accounts: {
    says: 'Find people and organizations by a part of their handle or name.',
    argument: ['[text]', 'a part of the handle or name; all without it'],
    nothing: 'Nobody is called so.',
  },
  keys: {
    says: 'List the API keys of a person, with what they may do and when they were used.',
    argument: ['<handle>', 'whose keys'],
    nothing: 'There is none.',
  },
  usage: {
    says: 'Show who has stored how much, the most first.',
    argument: ['[owner]', 'a part of the handle; all without it'],
    nothing: 'Nothing is stored.',
  },
  jobs: {
    says: 'List board jobs that wait, run, have failed or were refused.',
    argument: ['[text]', 'an owner, a state, an operation or a fault; all without it'],
    nothing: 'There is no such job.',
  },
  devices: {
    says: 'List devices, with whether they are online or stopped.',
    argument: ['[text]', 'a part of the workspace or name; all without it'],
    nothing: 'There is no such device.',
  },
  audit: {
    says: 'Search what operators have done and what happened to packages, the newest first.',
    argument: ['[text]', 'a handle, package, action or key; everything without it'],
    nothing: 'Nothing is noted.',
  },
}

interface ActionWords {
  readonly says: string
  readonly argument: readonly [name: string, meaning: string]
  /** What is set, for those that set something. */
  readonly value?: readonly [name: string, meaning: string, read: (given: string) => string]
}

const ACTIONS: Readonly<Record<ActionName, ActionWords>> = {
  'retry-job': {
    says: 'Queue a board job again that has failed or was refused.',
    argument: ['<id>', 'which job'],
  },
  'cancel-job': { says: 'End a board job that waits or runs.', argument: ['<id>', 'which job'] },
  'end-key': {
    says: 'End one API key, at once and for good.',
    argument: ['<id>', 'which key, by its id'],
  },
  'yank-version': {
    says: 'Yank one version of a package: nobody is offered it who does not ask for it by number.',
    argument: ['<version>', 'which version, as identifier@version'],
  },
  'unyank-version': {
    says: 'Offer a yanked version again.',
    argument: ['<version>', 'which version, as identifier@version'],
  },
  'set-file-quota': {
    says: 'Set how much the files of one owner and their history can take.',
    argument: ['<handle>', 'whose files'],
    value: ['<GiB>', 'how many GiB, or "default" for what the server is set to', quotaOf],
  },
}

const MOST_GIB = 1_000_000

function quotaOf(text: string): string {
  if (text === 'default' || (/^\d{1,7}$/.test(text) && Number(text) <= MOST_GIB)) return text
  throw new InvalidArgumentError(`It must be a whole number of GiB up to ${MOST_GIB}, or "default".`)
}

const MOST_ROWS = 1_000
const ROWS = 50

/** What an operator's day needs beside the commands of `admin-commands.ts`: each is a line above. */
export function addOperatorCommands(admin: Command, surroundings: CliSurroundings): void {
  const run = outcomeOf(surroundings)
  for (const [name, { says, argument, nothing }] of Object.entries(LOOKS)) {
    const command = admin.command(name).description(says)
    if (argument !== undefined) command.argument(...argument)
    command
      .option('--limit <number>', 'how many at most', wholeNumberOf(1, MOST_ROWS), ROWS)
      .option('--json', 'print JSON')
    command.action(async (...given: unknown[]) => {
      const words = command.opts<JsonWord & { limit: number }>()
      const [first] = given
      const text = argument !== undefined && typeof first === 'string' ? first : ''
      await run(words, async () => {
        const rows = await asOperator(surroundings, async ({ lookUp }, with_) =>
          lookUp(with_, name as LookName, { text, limit: words.limit }),
        )
        return { text: rows.length === 0 ? nothing : textOf(rows), json: rows }
      })
    })
  }
  for (const [name, { says, argument, value }] of Object.entries(ACTIONS)) {
    const command = admin
      .command(name)
      .description(says)
      .argument(...argument)
    if (value !== undefined) command.argument(...value)
    command
      .requiredOption('--reason <text>', 'why, for the audit log')
      .option('--json', 'print JSON')
      .action(async (...given: unknown[]) => {
        const words = command.opts<JsonWord & { reason: string }>()
        const [target, set] = given.map(String)
        const what = { target: target ?? '', reason: words.reason, ...(value && { value: set ?? '' }) }
        await run(words, async () => {
          const said = await asOperator(surroundings, async ({ act }, with_) =>
            act(with_, name as ActionName, what),
          )
          return { text: said, json: { done: name, id: what.target } }
        })
      })
  }
}

async function asOperator<Result>(
  surroundings: CliSurroundings,
  work: (
    server: Loaded<'server'>,
    surroundings: Awaited<ReturnType<typeof withAllVariables>>,
  ) => Promise<Result>,
): Promise<Result> {
  const server = await loadProcess('server', surroundings)
  try {
    return await work(server, await withAllVariables(surroundings))
  } catch (error) {
    if (error instanceof server.OperatorRefused) throw new Refusal(error.exitCode, 'refused', error.message)
    throw error
  }
}

/** As a table with the names of its columns above. People choose what they are called. */
function textOf(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {})
  return tableOf([
    names.map((name) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)),
    ...rows.map((row) => names.map((name) => cellOf(row[name]))),
  ])
}

function cellOf(value: Row[string] | undefined): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString().slice(0, 16).replace('T', ' ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return stripHidden(String(value))
}
