import { createInterface } from 'node:readline/promises'
import { PACKAGE_TYPES } from '@patchbay/package-format'
import type { Task } from '../command/run-task.ts'
import { nameFrom, slugOf } from './draft.ts'
import type { InitWords } from './init-words.ts'

type Asked = 'identifier' | 'name' | 'description' | 'type' | 'author' | 'license' | 'toolVersion'

/** Asks for what no option said. An empty answer takes what is offered. */
export async function askForMissing(task: Task, folder: string, words: InitWords): Promise<InitWords> {
  const { surroundings, signal } = task
  const { input, terminal, environment } = surroundings
  const questions: Readonly<Record<Asked, readonly [question: string, offer: string]>> = {
    identifier: ['Identifier (never changes)', `com.example.${slugOf(folder)}`],
    name: ['Name', nameFrom(folder)],
    description: ['What it does, in one sentence', 'What it does, in one sentence.'],
    type: [`Type (${PACKAGE_TYPES.join(', ')})`, 'plugin'],
    author: ['Author', environment['USER'] || 'Your name'],
    license: ['License', 'MIT'],
    toolVersion: ['Oldest tool version that it runs in', '8.0'],
  }
  const lines = createInterface({ input: input.stream })
  const answers: Partial<Record<Asked, string>> = {}
  try {
    for (const key of Object.keys(questions) as Asked[]) {
      if (words[key] !== undefined) continue
      const [question, offer] = questions[key]
      terminal.write(`${question} [${offer}]: `)
      const answer = (await lines.question('', { signal })).trim()
      answers[key] = answer === '' ? offer : answer
    }
  } finally {
    lines.close()
  }
  return { ...words, ...answers }
}
