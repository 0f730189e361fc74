import { useCallback, useEffect, useRef } from 'react'
import { Skeleton } from '../../../components/skeleton.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { useLoaded } from '../../../session/use-loaded.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { CodeArea } from '../code-editor/code-area.tsx'
import type { Editor } from '../code-editor/editor-view.ts'
import { languageOf } from '../code-editor/languages.ts'
import bar from '../parts/tool-bar.module.css'
import { readScript } from './script-file.ts'
import { words } from './words.ts'

interface FileScriptProps {
  host: PanelHost
  path: string
  onRun: () => void
}

/** A file of the workspace to read, as it is now. */
export function FileScript({ host, path, onRun }: FileScriptProps) {
  const editor = useRef<Editor>(null)
  const load = useCallback((signal: AbortSignal) => readScript(host.workspace, path, signal), [host, path])
  const { answer, reload } = useLoaded(load)
  useEffect(() => host.follow((news) => void (news === 'away' || reload())), [host, reload])
  const text = answer.state === 'loaded' ? answer.value : undefined
  useEffect(() => {
    if (text !== undefined) editor.current?.follow(text)
  }, [text])
  if (answer.state === 'failed')
    return (
      <div className={bar.notices}>
        <FailureNotice error={answer.error} retry={reload} />
      </div>
    )
  if (text === undefined) return <Skeleton label={words.source.loading} lines={5} />
  return (
    <CodeArea
      hold={(made) => {
        editor.current = made
      }}
      text={text}
      label={path}
      language={languageOf(undefined, path)}
      isReadOnly
      onEdit={() => {}}
      onLeave={() => {}}
      onRun={onRun}
    />
  )
}
