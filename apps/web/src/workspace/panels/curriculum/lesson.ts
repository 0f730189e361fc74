import type { Root } from 'mdast'
import type { LeafDirective } from 'mdast-util-directive'
import { nameOf, parentOf } from '../files/file-tree.ts'
import { readFrontMatter } from './front-matter.ts'
import { parseMarkdown } from './markdown.ts'
import { type Step, type StepFault, stepsOf, textOf } from './steps.ts'

export interface Lesson {
  /** Of its file in the folder of the course; what is marked as done is called by it. */
  readonly name: string
  readonly path: string
  readonly title: string
  readonly order: number
  readonly root: Root
  readonly steps: ReadonlyMap<LeafDirective, Step | StepFault>
}

/** A lesson of a file's text. */
export function readLesson(path: string, text: string): Lesson {
  const { head, body } = readFrontMatter(text)
  const root = parseMarkdown(body)
  const [first] = root.children
  // A lesson that begins with its title would show it twice.
  const isTitled = head.title === undefined && first?.type === 'heading' && first.depth === 1
  const shown: Root = isTitled ? { ...root, children: root.children.slice(1) } : root
  const title = head.title ?? (isTitled ? textOf(first) : nameOf(path).replace(/\.md$/i, ''))
  return {
    name: nameOf(path),
    path,
    title: title.trim() || nameOf(path),
    order: head.order ?? Number.POSITIVE_INFINITY,
    root: shown,
    steps: stepsOf(shown, parentOf(path)),
  }
}

/** In the order that they have, or by their names. */
export function inOrder(lessons: readonly Lesson[]): Lesson[] {
  return lessons.toSorted((one, other) =>
    one.order === other.order
      ? one.name.localeCompare(other.name, 'en', { numeric: true })
      : one.order - other.order,
  )
}

export function markOf({ name }: Lesson, step?: Step): string {
  return step === undefined ? name : `${name}#${step.id}`
}

/** The checks of a lesson that are not done yet. */
export function checksLeft(lesson: Lesson, done: ReadonlySet<string>): number {
  return [...lesson.steps.values()].filter((step) => step.type === 'check' && !done.has(markOf(lesson, step)))
    .length
}
