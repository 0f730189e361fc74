import { stripHidden } from '@patchbay/primitives/text'
import type { ActionName, LookName, Row } from '@patchbay/server'
import type { Command } from 'commander'
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

const ACTIONS: Readonly<Record<ActionName, { readonly says: string; readonly of: string }>> = {
  'retry-job': { says: 'Queue a board job again that has failed or was refused.', of: 'which job' },
  'cancel-job': { says: 'End a board job that waits or runs.', of: 'which job' },
  'end-key': { says: 'End one API key, at once and for good.', of: 'which key, by its id' },
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
  for (const [name, { says, of }] of Object.entries(ACTIONS)) {
    admin
      .command(name)
      .description(says)
      .argument('<id>', of)
      .requiredOption('--reason <text>', 'why, for the audit log')
      .option('--json', 'print JSON')
      .action(async (id: string, words: JsonWord & { reason: string }) => {
        await run(words, async () => {
          const said = await asOperator(surroundings, async ({ act }, with_) =>
            act(with_, name as ActionName, id, words.reason),
          )
          return { text: said, json: { done: name, id } }
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
