import type { CurriculumState } from '@patchbay/contracts/panels'
import { Folder, FolderOpen, GraduationCap } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { useAction } from '../../../server/use-action.ts'
import type { PanelProps } from '../../panel-definition.ts'
import { FileDialog } from '../files/file-dialog.tsx'
import { parentOf } from '../files/file-tree.ts'
import bar from '../parts/tool-bar.module.css'
import { addFiles } from './course.api.ts'
import { CourseView } from './course-view.tsx'
import styles from './curriculum.module.css'
import { loadSampleCourse, SAMPLE_FOLDER } from './sample-course.ts'
import { words } from './words.ts'

/** How the top of the workspace is written in the state, where a path of a folder has at least one letter. */
const TOP = '/'

export function CurriculumPanel(props: PanelProps) {
  const { state, mayChange, setState, host } = props
  const { folder } = state as CurriculumState
  const [isChoosing, setChoosing] = useState(false)
  return (
    <div className={bar.panel}>
      {folder === undefined ? (
        <NoCourse {...props} choose={() => setChoosing(true)} />
      ) : (
        <CourseView
          key={folder}
          panel={props}
          folder={folder === TOP ? '' : folder}
          choose={mayChange ? () => setChoosing(true) : undefined}
        />
      )}
      {isChoosing && (
        <FileDialog
          host={host}
          title={words.chooseFolder}
          none={words.empty.noFolders}
          offer={foldersOf}
          icon={<Folder aria-hidden />}
          choose={(chosen) => {
            setChoosing(false)
            setState({ folder: chosen })
          }}
          close={() => setChoosing(false)}
        />
      )}
    </div>
  )
}

/** Those that have Markdown files. */
function foldersOf(paths: readonly string[]): readonly string[] {
  const lessons = paths.filter((path) => /\.md$/i.test(path))
  return [...new Set(lessons.map((path) => parentOf(path) || TOP))].toSorted()
}

function NoCourse({ host, mayChange, setState, choose }: PanelProps & { choose: () => void }) {
  const adding = useAction(async () => {
    await addFiles(host, SAMPLE_FOLDER, await loadSampleCourse())
    setState({ folder: SAMPLE_FOLDER })
  })
  return (
    <div className={styles.scroll}>
      <div className={styles.empty}>
        <EmptyState
          title={words.empty.title}
          picture={<GraduationCap aria-hidden />}
          actions={
            mayChange && (
              <>
                <Button
                  variant="primary"
                  icon={<GraduationCap aria-hidden />}
                  isPending={adding.isPending}
                  onPress={adding.run}
                >
                  {words.empty.addSample}
                </Button>
                <Button icon={<FolderOpen aria-hidden />} onPress={choose}>
                  {words.empty.choose}
                </Button>
              </>
            )
          }
        >
          <p>{mayChange ? words.empty.text : words.empty.textViewer}</p>
          <FailureNotice error={adding.error} />
        </EmptyState>
      </div>
    </div>
  )
}
