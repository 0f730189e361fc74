import type { Nodes, Root } from 'mdast'
import type { LeafDirective } from 'mdast-util-directive'
import { resolvePath } from '../parts/resolve-path.ts'
import { languageOfScript } from '../script-runner/script-file.ts'
import { words } from './words.ts'

/** What each kind of panel that a step can open takes from it. */
const OPENABLE: Readonly<Record<string, readonly ('file' | 'url')[]>> = {
  'code-editor': ['file'],
  files: [],
  sandbox: [],
  'script-runner': ['file'],
  'system-log': [],
  'viewer-3d': ['file', 'url'],
  webview: ['url'],
}
const MOST_TEXT = 500

interface StepBase {
  /** Names it among the steps of its lesson. */
  readonly id: string
  readonly label: string
}

export interface OpenStep extends StepBase {
  readonly type: 'open'
  readonly panel: string
  readonly state: Readonly<Record<string, string>>
}

export interface RunStep extends StepBase {
  readonly type: 'run'
  readonly path: string
}

export type Check =
  /** Runs a file and looks for a line that holds this. */
  | { readonly by: 'prints'; readonly path: string; readonly text: string }
  | { readonly by: 'contains'; readonly path: string; readonly text: string }
  | { readonly by: 'answer'; readonly answers: readonly string[] }

export interface CheckStep extends StepBase {
  readonly type: 'check'
  readonly check: Check
}

export type Step = OpenStep | RunStep | CheckStep
/** What the author has to change. */
export type StepFault = { readonly type: 'fault'; readonly text: string }

/** The steps of a lesson, by the nodes that they stand at. */
export function stepsOf(root: Root, folder: string): ReadonlyMap<LeafDirective, Step | StepFault> {
  const steps = new Map<LeafDirective, Step | StepFault>()
  const taken = new Set<string>()
  const visit = (node: Nodes) => {
    if (node.type === 'leafDirective') {
      const step = stepOf(node, folder, steps.size + 1)
      const isTwice = step.type !== 'fault' && taken.has(step.id)
      if (step.type !== 'fault') taken.add(step.id)
      steps.set(node, isTwice ? fault(words.faults.twice(step.id)) : step)
    }
    if ('children' in node) for (const child of node.children) visit(child)
  }
  visit(root)
  return steps
}

function stepOf(node: LeafDirective, folder: string, number: number): Step | StepFault {
  const { id = String(number), ...given } = attributesOf(node)
  const label = textOf(node).trim().slice(0, MOST_TEXT)
  const base = { id: id.slice(0, 100), label }
  if (node.name === 'open') return openStep(base, given, folder)
  if (node.name === 'run') return runStep(base, given, folder)
  if (node.name === 'check') return checkStep(base, given, folder)
  return fault(words.faults.unknown(node.name))
}

type Given = Readonly<Record<string, string>>

function openStep(base: StepBase, { panel = '', file, url }: Given, folder: string): Step | StepFault {
  const takes = Object.hasOwn(OPENABLE, panel) ? OPENABLE[panel] : undefined
  if (takes === undefined) return fault(words.faults.panel(panel, Object.keys(OPENABLE)))
  const label = base.label || words.step.open(panel)
  if (takes.includes('file') && file !== undefined) {
    const path = fileIn(folder, file)
    return path === undefined
      ? fault(words.faults.path(file))
      : { ...base, label, type: 'open', panel, state: { path } }
  }
  if (takes.includes('url') && url !== undefined)
    return isWebAddress(url)
      ? { ...base, label, type: 'open', panel, state: { url } }
      : fault(words.faults.address(url))
  return { ...base, label, type: 'open', panel, state: {} }
}

function runStep(base: StepBase, { file }: Given, folder: string): Step | StepFault {
  if (file === undefined) return fault(words.faults.noFile('run'))
  const path = fileIn(folder, file)
  if (path === undefined) return fault(words.faults.path(file))
  if (languageOfScript(path) === undefined) return fault(words.faults.noScript(file))
  return { ...base, label: base.label || words.step.run(file), type: 'run', path }
}

function checkStep(base: StepBase, given: Given, folder: string): Step | StepFault {
  const { file, prints, contains, answer } = given
  if (base.label === '') return fault(words.faults.noLabel)
  const kinds = [prints, contains, answer].filter((value) => value !== undefined)
  if (kinds.length !== 1 || kinds[0]?.trim() === '') return fault(words.faults.check)
  if (answer !== undefined) {
    const answers = answer.split('|').map(plain)
    return { ...base, type: 'check', check: { by: 'answer', answers } }
  }
  if (file === undefined) return fault(words.faults.noFile('check'))
  const path = fileIn(folder, file)
  if (path === undefined) return fault(words.faults.path(file))
  if (prints === undefined)
    return { ...base, type: 'check', check: { by: 'contains', path, text: contains ?? '' } }
  if (languageOfScript(path) === undefined) return fault(words.faults.noScript(file))
  return { ...base, type: 'check', check: { by: 'prints', path, text: prints } }
}

/** As answers are compared: without regard to case, blanks and the sign of the decimals. */
export function plain(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, '').replaceAll(',', '.')
}

function fileIn(folder: string, path: string): string | undefined {
  const found = resolvePath(folder, path)
  return found === '' ? undefined : found
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

function attributesOf({ attributes }: LeafDirective): Record<string, string> {
  const given = Object.entries(attributes ?? {})
  return Object.fromEntries(given.map(([name, value]) => [name, (value ?? '').slice(0, MOST_TEXT)]))
}

/** What a node says, without what it looks like. */
export function textOf(node: Nodes): string {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

function fault(text: string): StepFault {
  return { type: 'fault', text }
}
