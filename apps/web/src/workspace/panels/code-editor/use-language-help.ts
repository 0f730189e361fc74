import { useEffect } from 'react'
import type { PanelHost } from '../../panel-definition.ts'
import type { Editor } from './editor-view.ts'
import { isHelped, openHelp } from './language/language-help.ts'
import type { EditorLanguage } from './languages.ts'

/** Suggestions for languages that have them. Without them the editor is what it was. */
export function useLanguageHelp(
  host: PanelHost | undefined,
  editor: Editor | undefined,
  path: string,
  language: EditorLanguage,
): void {
  useEffect(() => {
    if (host === undefined || editor === undefined || !isHelped(language)) return undefined
    let isOld = false
    let close = () => {}
    openHelp(host, language, path).then(
      (help) => {
        close = help.close
        if (isOld) close()
        else editor.setHelp(help.extension)
      },
      () => {},
    )
    return () => {
      isOld = true
      editor.setHelp([])
      close()
    }
  }, [host, editor, path, language])
}
