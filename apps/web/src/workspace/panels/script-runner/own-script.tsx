import { useRef } from 'react'
import type { PanelProps } from '../../panel-definition.ts'
import { CodeArea } from '../code-editor/code-area.tsx'
import type { Editor } from '../code-editor/editor-view.ts'
import { TextNotices } from '../code-editor/text-notices.tsx'
import { useStoredText } from '../code-editor/use-stored-text.ts'

interface OwnScriptProps {
  panel: PanelProps
  /** Is given the editor, and null when it goes. */
  hold: (editor: Editor | null) => void
  onRun: () => void
}

/** The script that is stored with the panel. */
export function OwnScript({ panel, hold, onRun }: OwnScriptProps) {
  const editor = useRef<Editor>(null)
  const edited = useStoredText(editor, 'code', panel)
  const { title, mayChange } = panel
  return (
    <>
      <TextNotices edited={edited} mayChange={mayChange} />
      <CodeArea
        hold={(made) => {
          editor.current = made
          hold(made)
        }}
        text={edited.text}
        label={title}
        help={{ host: panel.host, path: 'script.js' }}
        language="javascript"
        isReadOnly={!mayChange}
        onEdit={edited.onEdit}
        onLeave={edited.onLeave}
        onRun={onRun}
      />
    </>
  )
}
