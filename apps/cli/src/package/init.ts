import { access, mkdir, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { PACKAGE_TYPES } from '@patchbay/package-format'
import { findPublishFaults } from '@patchbay/package-format/publish-faults'
import { type Finding, validateText } from '@patchbay/package-format/validate'
import { EXIT } from '../account/ending.ts'
import { findingLines } from '../command/findings.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { brandWords, foldersOf, metadataOf, nameFrom, readmeOf, slugOf } from './draft.ts'
import type { InitWords } from './init-words.ts'
import { placeholderIcon } from './placeholder-icon.ts'

/** `patchbay package init`. Everything is checked before the first file is written. */
export async function initPackage(task: Task, folder: string, words: InitWords): Promise<Outcome> {
  const root = resolve(folder)
  const { surroundings } = task
  await refuseExisting(root, ['metadata.json', 'README.md', 'resources/icon.png'])
  const isAsking =
    surroundings.input.isInteractive && surroundings.terminal.isInteractive && words.yes !== true
  const answered = isAsking ? await askForMissing(task, basename(root), words) : words
  const metadata = metadataOf(basename(root), surroundings.environment['USER'], answered)
  const text = `${JSON.stringify(metadata, null, 2)}\n`
  const findings = refuseInvalid(text, words.toolBrand)
  const folders = foldersOf(metadata.type)
  for (const each of folders) await mkdir(join(root, each), { recursive: true })
  const files: readonly (readonly [string, string | Uint8Array])[] = [
    ['metadata.json', text],
    ['README.md', readmeOf(metadata, words.toolBrand)],
    ['resources/icon.png', placeholderIcon()],
  ]
  for (const [name, content] of files) await writeFile(join(root, name), content, { flag: 'wx' })
  return {
    json: {
      folder: root,
      identifier: metadata.identifier,
      files: files.map(([name]) => name),
      folders,
      findings,
    },
    text: [
      `Began ${metadata.identifier} in ${root}:`,
      ...files.map(([name]) => `  ${name}`),
      ...folders.filter((each) => each !== 'resources').map((each) => `  ${each}/  (put your files here)`),
      ...findingLines(join(folder, 'metadata.json'), findings),
      '',
      `Next: edit metadata.json, then run "patchbay package validate ${folder}${brandWords(words.toolBrand)}".`,
    ].join('\n'),
  }
}

async function refuseExisting(root: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const isThere = await access(join(root, name)).then(
      () => true,
      () => false,
    )
    if (isThere)
      throw new Refusal(
        EXIT.failed,
        'already_there',
        `${join(root, name)} is there already, and nothing is overwritten.\nName another folder, or edit what is there.`,
      )
  }
}

/** Answers what may not work everywhere. */
function refuseInvalid(text: string, brand: string | undefined): readonly Finding[] {
  const { packages, isValid } = validateText(text, {
    findMore: findPublishFaults,
    ...(brand === undefined ? {} : { brand }),
  })
  const findings = packages.flatMap((each) => each.findings)
  if (isValid) return findings
  const lines = findings.map(({ pointer, message }) => ({ pointer, message }))
  throw new Refusal(
    EXIT.usage,
    'metadata_invalid',
    [...findingLines('', lines), 'Nothing was written. Correct the options, and run it again.'].join('\n'),
    { findings },
  )
}

type Asked = 'identifier' | 'name' | 'description' | 'type' | 'author' | 'license' | 'toolVersion'

/** Asks for what no option said. An empty answer takes what is offered. */
async function askForMissing(task: Task, folder: string, words: InitWords): Promise<InitWords> {
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
