import type { Argument, Command, Option } from 'commander'

/** A word that could come next. */
export interface Candidate {
  readonly value: string
  readonly meaning: string
}

export interface Completion {
  readonly candidates: readonly Candidate[]
  /** A path may stand here: the shell knows better than we do. */
  readonly wantsFiles: boolean
  /** The argument of this command, where only what is installed or configured can tell. */
  readonly asks?: 'installed' | 'sources'
}

const NOTHING: Completion = { candidates: [], wantsFiles: false }
const INSTALLED = new Set(['update', 'remove', 'pin', 'unpin', 'rollback'])
const PATHS = /^(file|folder|keys)$/

/** What may stand in the place of the last word, from the commands as they are defined. */
export function completionOf(program: Command, words: readonly string[]): Completion {
  const { command, position, open } = walk(program, words.slice(0, -1))
  const last = words.at(-1) ?? ''
  if (open !== undefined) return starting(last, valuesOf(open))
  if (last.startsWith('-')) return starting(last, { ...NOTHING, candidates: optionsOf(command) })
  const subcommands = command.createHelp().visibleCommands(command)
  if (command.commands.length > 0)
    return starting(last, {
      ...NOTHING,
      candidates: subcommands.map((each) => ({
        value: each.name(),
        meaning: firstSentence(each.description()),
      })),
    })
  return starting(last, argumentsOf(command, position))
}

interface Walked {
  readonly command: Command
  /** How many arguments were given. */
  readonly position: number
  /** An option that still waits for its value. */
  readonly open: Option | undefined
}

function walk(program: Command, words: readonly string[]): Walked {
  let [command, position, open]: [Command, number, Option | undefined] = [program, 0, undefined]
  for (const word of words) {
    if (open !== undefined) {
      open = undefined
      continue
    }
    if (word.startsWith('-')) {
      const option = command.options.find(({ long, short }) => long === word || short === word)
      open = option !== undefined && option.required ? option : undefined
      continue
    }
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
    if (next !== undefined && position === 0) command = next
    else position += 1
  }
  return { command, position, open }
}

function valuesOf({ argChoices, flags }: Option): Completion {
  if (argChoices !== undefined) return { ...NOTHING, candidates: argChoices.map(asCandidate) }
  const name = /<([a-z-]+)/.exec(flags)?.[1] ?? ''
  return { ...NOTHING, wantsFiles: PATHS.test(name) || flags.startsWith('--repo') }
}

function argumentsOf(command: Command, position: number): Completion {
  const argument: Argument | undefined =
    command.registeredArguments[position] ?? command.registeredArguments.findLast((each) => each.variadic)
  if (argument === undefined) return NOTHING
  if (argument.argChoices !== undefined)
    return { ...NOTHING, candidates: argument.argChoices.map(asCandidate) }
  if (INSTALLED.has(command.name()) && command.parent?.parent === null)
    return { ...NOTHING, asks: 'installed' }
  if (command.name() === 'remove' && command.parent?.name() === 'source')
    return { ...NOTHING, asks: 'sources' }
  return { ...NOTHING, wantsFiles: PATHS.test(argument.name()) }
}

function optionsOf(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, short, description }) => ({
      value: long ?? short ?? '',
      meaning: firstSentence(description),
    }))
}

function starting(last: string, completion: Completion): Completion {
  return { ...completion, candidates: completion.candidates.filter(({ value }) => value.startsWith(last)) }
}

function asCandidate(value: string): Candidate {
  return { value, meaning: '' }
}

function firstSentence(text: string): string {
  return text.split(/[.;:](?:\s|$)/)[0] ?? ''
}
