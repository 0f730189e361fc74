import { EDITOR_TEXT_LENGTH } from '@patchbay/contracts/limits'
import { type CodeEditorState, EDITOR_LANGUAGES } from '@patchbay/contracts/panels'
import { Download, Files, FolderOpen, Save } from 'lucide-react'
import { useRef, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Select } from '../../../components/select.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { useAction } from '../../../server/use-action.ts'
import type { PanelProps } from '../../panel-definition.ts'
import bar from '../parts/tool-bar.module.css'
import { ToolBar } from '../parts/tool-bar.tsx'
import { ToolButton } from '../parts/tool-button.tsx'
import { withFile } from '../parts/with-file.ts'
import { CodeArea } from './code-area.tsx'
import { createFileNear } from './document.api.ts'
import { downloadText } from './download-text.ts'
import type { Editor } from './editor-view.ts'
import { FileNameField } from './file-name-field.tsx'
import { FileTabs } from './file-tabs.tsx'
import { languageName, languageOf } from './languages.ts'
import { OpenFileDialog } from './open-file-dialog.tsx'
import { withPlainLines } from './stored-text.ts'
import { TextNotices } from './text-notices.tsx'
import { useStoredText } from './use-stored-text.ts'
import { words } from './words.ts'

const BY_NAME = 'by-name'

/** Files of the workspace, or a text of the panel's own that is no file yet. */
export function CodeEditorPanel(props: PanelProps) {
  const { state, setState, host } = props
  const { files = [] } = state as CodeEditorState
  const [isOpening, setOpening] = useState(false)
  const openFile = (path: string) => {
    setOpening(false)
    setState(withFile(path)(state))
  }
  const choose = () => setOpening(true)
  return (
    <>
      {files.length > 0 ? (
        <FileTabs {...props} chooseFile={choose} />
      ) : (
        <Scratch {...props} chooseFile={choose} />
      )}
      {isOpening && <OpenFileDialog host={host} open={openFile} close={() => setOpening(false)} />}
    </>
  )
}

function Scratch(props: PanelProps & { chooseFile: () => void }) {
  const { title, state, mayChange, setState, host } = props
  const { fileName = '', language: chosen } = state as CodeEditorState
  const editor = useRef<Editor>(null)
  const edited = useStoredText(editor, 'text', props)
  const [refused, setRefused] = useState<string>()
  const language = languageOf(chosen, fileName)

  const open = async (file: File) => {
    const opened = await readTextFile(file)
    setRefused('refused' in opened ? opened.refused : undefined)
    if ('refused' in opened) return
    editor.current?.replace(opened.text)
    setState({ fileName: file.name.slice(0, 200), language: null })
    edited.onLeave()
  }
  const save = useAction(async () => {
    const path = await createFileNear(
      host,
      fileName === '' ? 'untitled.txt' : fileName,
      editor.current?.text() ?? '',
    )
    setState({ files: [path], active: path, text: null, fileName: null, language: null, conflict: null })
  })
  const options = [
    { id: BY_NAME, label: words.languageByName(languageName(languageOf(undefined, fileName))) },
    ...EDITOR_LANGUAGES.map((id) => ({ id, label: languageName(id) })),
  ]
  return (
    <div className={bar.panel}>
      <ToolBar label={words.bar}>
        <FileNameField
          name={fileName}
          isReadOnly={!mayChange}
          rename={(name) => setState({ fileName: name === '' ? null : name })}
        />
        <div className={bar.middling}>
          <Select
            label={words.language}
            isLabelHidden
            size="sm"
            options={options}
            isDisabled={!mayChange}
            value={chosen ?? BY_NAME}
            onChange={(id) => setState({ language: id === BY_NAME ? null : id })}
          />
        </div>
        <FileTrigger
          onSelect={(files) => {
            const file = files?.item(0)
            if (file !== undefined && file !== null) void open(file)
          }}
        >
          <ToolButton label={words.open} isDisabled={!mayChange}>
            <FolderOpen aria-hidden />
          </ToolButton>
        </FileTrigger>
        <ToolButton label={words.files.open} isDisabled={!mayChange} onPress={props.chooseFile}>
          <Files aria-hidden />
        </ToolButton>
        <ToolButton
          label={words.files.save}
          isDisabled={!mayChange || edited.isConflict || save.isPending}
          onPress={save.run}
        >
          <Save aria-hidden />
        </ToolButton>
        <ToolButton
          label={words.download}
          onPress={() => downloadText(editor.current?.text() ?? '', fileName === '' ? 'text.txt' : fileName)}
        >
          <Download aria-hidden />
        </ToolButton>
      </ToolBar>
      <FailureNotice error={save.error} />
      <TextNotices edited={edited} mayChange={mayChange} refused={refused} />
      <CodeArea
        hold={(made) => {
          editor.current = made
        }}
        text={edited.text}
        label={title}
        help={{ host, path: fileName }}
        language={language}
        isReadOnly={!mayChange}
        onEdit={edited.onEdit}
        onLeave={edited.onLeave}
      />
      <div className={bar.status}>
        <span>{words.leaving}</span>
      </div>
    </div>
  )
}

type OpenedFile = { readonly text: string } | { readonly refused: string }

/** The text of a file, or why it cannot be edited here. */
async function readTextFile(file: File): Promise<OpenedFile> {
  // A character takes four bytes at most: what is larger need not be read.
  if (file.size > EDITOR_TEXT_LENGTH * 4) return tooLarge(file.name)
  try {
    const bytes = await file.arrayBuffer()
    const text = withPlainLines(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (text.length > EDITOR_TEXT_LENGTH) return tooLarge(file.name)
    return text.includes('\0') ? noText(file.name) : { text }
  } catch {
    return noText(file.name)
  }
}

function tooLarge(name: string): OpenedFile {
  return { refused: words.notOpened.tooLarge(name, EDITOR_TEXT_LENGTH) }
}

function noText(name: string): OpenedFile {
  return { refused: words.notOpened.noText(name) }
}
