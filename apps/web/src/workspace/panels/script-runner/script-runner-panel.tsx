import { Eraser, Play, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Select } from '../../../components/select.tsx'
import type { PanelProps } from '../../panel-definition.ts'
import { CodeArea } from '../code-editor/code-area.tsx'
import type { Editor } from '../code-editor/editor-view.ts'
import { TextNotices } from '../code-editor/text-notices.tsx'
import { useStoredText } from '../code-editor/use-stored-text.ts'
import bar from '../parts/tool-bar.module.css'
import { ToolBar } from '../parts/tool-bar.tsx'
import { ToolButton } from '../parts/tool-button.tsx'
import type { OutputLine } from './output.ts'
import styles from './script-runner.module.css'
import { useRunner } from './use-runner.ts'
import { words } from './words.ts'

const TIMEOUTS = [
  { id: '1000', label: words.seconds(1) },
  { id: '5000', label: words.seconds(5) },
  { id: '30000', label: words.seconds(30) },
]

export function ScriptRunnerPanel(props: PanelProps) {
  const { title, mayChange, host } = props
  const editor = useRef<Editor>(null)
  const place = useRef<HTMLDivElement>(null)
  const edited = useStoredText(editor, 'code', props)
  const [timeout, setTimeoutChoice] = useState('5000')
  const runner = useRunner(place, title, host.log)
  const run = () => runner.run(editor.current?.text() ?? '', Number(timeout))
  return (
    <div className={bar.panel}>
      <ToolBar label={words.bar}>
        <Button
          size="sm"
          variant="primary"
          icon={<Play aria-hidden />}
          isDisabled={!runner.isReady || runner.isRunning}
          onPress={run}
        >
          {words.run}
        </Button>
        <Button size="sm" icon={<Square aria-hidden />} isDisabled={!runner.isRunning} onPress={runner.stop}>
          {words.stop}
        </Button>
        <div className={bar.middling}>
          <Select
            label={words.longestRun}
            isLabelHidden
            size="sm"
            options={TIMEOUTS}
            value={timeout}
            onChange={(id) => setTimeoutChoice(String(id))}
          />
        </div>
        <span className={bar.push}>
          <ToolButton label={words.clear} onPress={runner.clear}>
            <Eraser aria-hidden />
          </ToolButton>
        </span>
      </ToolBar>
      <TextNotices edited={edited} mayChange={mayChange} />
      <CodeArea
        hold={(made) => {
          editor.current = made
        }}
        text={edited.text}
        label={title}
        language="javascript"
        isReadOnly={!mayChange}
        onEdit={edited.onEdit}
        onLeave={edited.onLeave}
        onRun={run}
      />
      <ScriptOutput lines={runner.lines} />
      <div className={bar.status}>
        <span>{words.running}</span>
        <span>{words.leaving}</span>
      </div>
      <div ref={place} inert className={styles.frame} />
    </div>
  )
}

/** What a script printed and what came of it, with the latest in view. */
function ScriptOutput({ lines }: { lines: readonly OutputLine[] }) {
  const box = useRef<HTMLDivElement>(null)
  const seen = useRef<number>(undefined)
  const latest = lines.at(-1)?.id
  useEffect(() => {
    // Only for a new line: whoever has scrolled up would be taken down by anything else that changes.
    if (latest === seen.current) return
    seen.current = latest
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [latest])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <div ref={box} role="log" aria-label={words.output.label} tabIndex={0} className={styles.output}>
      {lines.length === 0 && <p className={styles.nothing}>{words.output.none}</p>}
      {lines.map(({ id, tone, text }) => (
        <pre key={id} data-tone={tone} className={styles.line}>
          {text}
        </pre>
      ))}
    </div>
  )
}
