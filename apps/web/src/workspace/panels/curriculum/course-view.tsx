import { ChevronLeft, ChevronRight, CircleCheck, FolderOpen } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Select } from '../../../components/select.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { useLoaded } from '../../../session/use-loaded.ts'
import type { PanelProps } from '../../panel-definition.ts'
import { isGone } from '../files/explain.ts'
import { textOf } from '../files/file-content.ts'
import { fetchContent } from '../files/history.api.ts'
import bar from '../parts/tool-bar.module.css'
import { ToolBar } from '../parts/tool-bar.tsx'
import { ToolButton } from '../parts/tool-button.tsx'
import { withFile } from '../parts/with-file.ts'
import { readScript } from '../script-runner/script-file.ts'
import { useRunner } from '../script-runner/use-runner.ts'
import { fetchCourse } from './course.api.ts'
import styles from './curriculum.module.css'
import { checksLeft, type Lesson, markOf } from './lesson.ts'
import { LessonView } from './lesson-view.tsx'
import { type StepKit, StepView } from './step-view.tsx'
import { type Progress, useProgress } from './use-progress.ts'
import { words } from './words.ts'

const LONGEST_RUN_MS = 30_000
const READ_DEADLINE_MS = 30_000
const MOST_CHECKED_BYTES = 256 * 1024

interface CourseViewProps {
  panel: PanelProps
  folder: string
  /** Another course, for who may change the panel. */
  choose: (() => void) | undefined
}

/** The course in a folder: one lesson at a time, the first that is not done unless somebody goes elsewhere. */
export function CourseView({ panel, folder, choose }: CourseViewProps) {
  const { host } = panel
  const load = useCallback(
    (signal: AbortSignal) => fetchCourse(host.workspace, folder, signal),
    [host, folder],
  )
  const { answer, reload } = useLoaded(load)
  useEffect(() => host.follow((news) => void (news === 'away' || reload())), [host, reload])
  const progress = useProgress(host, folder)
  const [chosen, setChosen] = useState<string>()
  if (answer.state === 'failed')
    return (
      <div className={bar.notices}>
        <FailureNotice error={answer.error} retry={reload} />
      </div>
    )
  if (answer.state === 'loading' || !progress.isLoaded) return <Skeleton label={words.loading} lines={6} />
  const { lessons, unread } = answer.value
  const lesson =
    lessons.find(({ name }) => name === chosen) ??
    lessons.find((one) => !progress.done.has(markOf(one))) ??
    lessons[0]
  if (lesson === undefined)
    return (
      <div className={styles.scroll}>
        <div className={styles.empty}>
          <EmptyState
            title={words.noLessons.title}
            actions={choose !== undefined && <Button onPress={choose}>{words.empty.choose}</Button>}
          >
            {words.noLessons.text(folder === '' ? words.noLessons.top : folder)}
          </EmptyState>
        </div>
      </div>
    )
  const at = lessons.indexOf(lesson)
  const goTo = (index: number) => setChosen(lessons[index]?.name)
  return (
    <>
      <ToolBar label={words.bar}>
        <ToolButton label={words.previous} isDisabled={at === 0} onPress={() => goTo(at - 1)}>
          <ChevronLeft aria-hidden />
        </ToolButton>
        <div className={styles.lessons}>
          <Select
            label={words.lesson}
            isLabelHidden
            size="sm"
            options={lessons.map((one) => ({ id: one.name, label: labelOf(one, progress) }))}
            value={lesson.name}
            onChange={(name) => setChosen(String(name))}
          />
        </div>
        <ToolButton label={words.next} isDisabled={at === lessons.length - 1} onPress={() => goTo(at + 1)}>
          <ChevronRight aria-hidden />
        </ToolButton>
        <span className={styles.count}>
          {words.progress(lessons.filter((one) => progress.done.has(markOf(one))).length, lessons.length)}
        </span>
        {choose !== undefined && (
          <ToolButton label={words.chooseFolder} onPress={choose}>
            <FolderOpen aria-hidden />
          </ToolButton>
        )}
      </ToolBar>
      {progress.error !== undefined && (
        <div className={bar.notices}>
          <Notice title={words.notSaved} tone="warning" isLive />
        </div>
      )}
      <LessonPage
        key={lesson.name}
        panel={panel}
        lesson={lesson}
        lessons={lessons}
        unread={unread}
        progress={progress}
        choose={setChosen}
      />
    </>
  )
}

function labelOf(lesson: Lesson, { done }: Progress): string {
  return done.has(markOf(lesson)) ? words.lessonDone(lesson.title) : lesson.title
}

interface LessonPageProps {
  panel: PanelProps
  lesson: Lesson
  lessons: readonly Lesson[]
  unread: readonly string[]
  progress: Progress
  choose: (name: string) => void
}

function LessonPage({ panel, lesson, lessons, unread, progress, choose }: LessonPageProps) {
  const { host, title } = panel
  const place = useRef<HTMLDivElement>(null)
  const runner = useRunner(place, title, host)
  const [lastRun, setLastRun] = useState<string>()
  const kit: StepKit = {
    runner,
    lastRun,
    async run(stepId, path) {
      setLastRun(stepId)
      const code = () => readScript(host.workspace, path, AbortSignal.timeout(READ_DEADLINE_MS))
      return await runner.run({ code, path }, LONGEST_RUN_MS)
    },
    async read(path) {
      const signal = AbortSignal.timeout(READ_DEADLINE_MS)
      try {
        return textOf(await fetchContent(host.workspace, { path, most: MOST_CHECKED_BYTES }, signal))
      } catch (error) {
        if (isGone(error)) return undefined
        throw error
      }
    },
    open: ({ panel: kind, state }) =>
      host.openPanel(
        panel.tabId,
        kind,
        kind === 'code-editor' && state['path'] !== undefined ? withFile(state['path']) : state,
      ),
    isDone: (step) => progress.done.has(markOf(lesson, step)),
    onDone: (step) => progress.mark(markOf(lesson, step)),
  }
  const goTo = (path: string) => {
    const other = lessons.find((one) => one.path === path)
    return other === undefined ? undefined : () => choose(other.name)
  }
  return (
    <div className={styles.scroll}>
      <article className={styles.lesson} aria-labelledby={`${panel.tabId}-lesson`}>
        <h2 id={`${panel.tabId}-lesson`}>{lesson.title}</h2>
        <LessonView
          host={host}
          lesson={lesson}
          goTo={goTo}
          renderStep={(step) => <StepView step={step} kit={kit} />}
        />
        {unread.length > 0 && <Notice title={words.unread(unread)} tone="warning" />}
        <LessonEnd lesson={lesson} lessons={lessons} progress={progress} choose={choose} />
      </article>
      <div ref={place} inert className={styles.frame} />
    </div>
  )
}

function LessonEnd({ lesson, lessons, progress, choose }: Omit<LessonPageProps, 'panel' | 'unread'>) {
  const { done, mark } = progress
  const next = lessons[lessons.indexOf(lesson) + 1]
  const left = checksLeft(lesson, done)
  const go = () => {
    if (next !== undefined) choose(next.name)
  }
  if (done.has(markOf(lesson))) {
    const isAll = lessons.every((one) => done.has(markOf(one)))
    return (
      <footer className={styles.end}>
        <output className={styles.finished}>
          <CircleCheck aria-hidden />
          {isAll ? words.finish.all : words.finish.done}
        </output>
        <span className={styles.endActions}>
          <Button size="sm" variant="ghost" onPress={() => mark(markOf(lesson), false)}>
            {words.finish.again}
          </Button>
          {next !== undefined && (
            <Button size="sm" variant="primary" onPress={go}>
              {words.next}
            </Button>
          )}
        </span>
      </footer>
    )
  }
  return (
    <footer className={styles.end}>
      <p className={styles.left}>{left > 0 && words.finish.left(left)}</p>
      <Button
        size="sm"
        variant="primary"
        isDisabled={left > 0}
        onPress={() => {
          mark(markOf(lesson))
          if (next === undefined) choose(lesson.name)
          else go()
        }}
      >
        {next === undefined ? words.finish.finish : words.finish.next}
      </Button>
    </footer>
  )
}
