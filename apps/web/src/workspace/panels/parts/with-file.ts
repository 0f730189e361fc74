import { DOCUMENT_LIMITS } from '@patchbay/contracts/limits'
import type { CodeEditorState } from '@patchbay/contracts/panels'
import type { PanelState } from '../../panel-definition.ts'

/** What a code editor shows once a file was opened in it. */
export function withFile(path: string): (shown: PanelState) => PanelState {
  return (shown) => {
    const { files = [] } = shown as CodeEditorState
    const all = files.includes(path) ? files : [...files, path].slice(-DOCUMENT_LIMITS.open)
    return { files: all, active: path }
  }
}
