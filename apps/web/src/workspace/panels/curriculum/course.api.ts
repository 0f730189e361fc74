import { getFiles } from '@patchbay/contracts/content'
import { getCourseProgress, patchCourseProgress, type WorkspaceRef } from '@patchbay/contracts/panels'
import { Semaphore } from '@patchbay/primitives/async'
import { ask } from '../../../server/server.api.ts'
import { isChangedMeanwhile, isTaken } from '../files/explain.ts'
import { textOf } from '../files/file-content.ts'
import { joinPath } from '../files/file-tree.ts'
import { fetchContent } from '../files/history.api.ts'
import { type Asking, writeFile } from '../parts/files.api.ts'
import { inOrder, type Lesson, readLesson } from './lesson.ts'

const MOST_LESSONS = 100
const MOST_NAMES = 1_000
const MOST_LESSON_BYTES = 256 * 1024
const AT_ONCE = 4
const DEADLINE_MS = 30_000

export interface Course {
  readonly lessons: readonly Lesson[]
  /** Files that are no lessons: too long, or no text. */
  readonly unread: readonly string[]
}

/** The Markdown files of a folder. */
export async function fetchCourse(
  params: WorkspaceRef,
  folder: string,
  signal: AbortSignal,
): Promise<Course> {
  const query = { limit: MOST_NAMES, ...(folder !== '' && { folder }) }
  const { body } = await ask(getFiles, { params, query }, { signal, deadlineMs: DEADLINE_MS })
  const found = body.files.filter(({ path }) => /\.md$/i.test(path)).slice(0, MOST_LESSONS)
  const turns = new Semaphore({ total: AT_ONCE })
  const read = await Promise.all(
    found.map(({ path, revision }) =>
      turns.run(async () => {
        const bytes = await fetchContent(params, { path, revision, most: MOST_LESSON_BYTES }, signal)
        const text = bytes.byteLength > MOST_LESSON_BYTES ? undefined : textOf(bytes)
        return text === undefined ? path : readLesson(path, text)
      }),
    ),
  )
  return {
    lessons: inOrder(read.filter((one) => typeof one !== 'string')),
    unread: read.filter((one) => typeof one === 'string'),
  }
}

export async function fetchProgress(
  params: WorkspaceRef,
  folder: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { body } = await ask(getCourseProgress, { params, query: { folder } }, { signal })
  return body.done
}

export async function recordProgress(
  { workspace, csrfToken }: Asking,
  folder: string,
  marks: { readonly done?: string[]; readonly notDone?: string[] },
): Promise<readonly string[]> {
  const { body } = await ask(
    patchCourseProgress,
    { params: workspace, body: { folder, ...marks } },
    { headers: { 'x-csrf-token': csrfToken() } },
  )
  return body.done
}

/** Adds files that a folder does not have yet. What is there stays as it is. */
export async function addFiles(
  asking: Asking,
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [name, text] of files) {
    const content = new Blob([text], { type: name.endsWith('.md') ? 'text/markdown' : 'text/plain' })
    await writeFile(asking, joinPath(folder, name), content).catch((error: unknown) => {
      if (!isChangedMeanwhile(error) && !isTaken(error)) throw error
    })
  }
}
