import { isBrand } from '@patchbay/package-format'
import { InvalidArgumentError, Option } from 'commander'
import { SERVER_OPTION_WORDS } from '../account/default-server.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'
import { type Outcome, runTask, type Task, type TaskOptions } from './run-task.ts'

export interface JsonWord {
  readonly json?: boolean
}

/** How the action of a command does its work: within a task, in words or as JSON. */
export function outcomeOf(surroundings: CliSurroundings) {
  return async (
    { json }: JsonWord,
    work: (task: Task) => Promise<Outcome>,
    options: Omit<TaskOptions, 'isJson'> = {},
  ): Promise<void> => runTask(surroundings, { ...options, isJson: json === true }, work)
}

export type RunTask = ReturnType<typeof outcomeOf>

export function serverOption(): Option {
  return new Option('--server <url>', SERVER_OPTION_WORDS)
}

export function toolBrandOption(): Option {
  return new Option('--tool-brand <word>', 'the word before "_version" in metadata, such as kicad').argParser(
    (text) => {
      if (isBrand(text)) return text
      throw new InvalidArgumentError('It must be a word of small letters and digits, such as kicad.')
    },
  )
}

export function wholeNumberOf(least: number, most: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
  }
}
