import { EDITOR_TEXT_LENGTH } from '@patchbay/contracts/limits'
import { Button } from '../../../components/button.tsx'
import { Notice } from '../../../components/notice.tsx'
import bar from '../parts/tool-bar.module.css'
import type { EditedText } from './use-stored-text.ts'

interface TextNoticesProps {
  edited: EditedText
  mayChange: boolean
  /** Why a file was not opened. */
  refused?: string | undefined
}

export function TextNotices({ edited, mayChange, refused }: TextNoticesProps) {
  const { isConflict, other, isTooLong } = edited
  return (
    <div className={bar.notices}>
      {isConflict && (
        <Notice
          title="Changed in another browser"
          tone="warning"
          isLive
          action={
            <div className={bar.choices}>
              <Button size="sm" onPress={edited.keepBoth}>
                Keep both
              </Button>
              <Button size="sm" variant="ghost" onPress={edited.keepMine}>
                Keep mine
              </Button>
              <Button size="sm" variant="ghost" onPress={edited.takeTheirs}>
                Take theirs
              </Button>
            </div>
          }
        >
          Your text is shown here and isn’t saved until you choose. Keep both opens yours in a new tab.
        </Notice>
      )}
      {other !== undefined && (
        <Notice
          title={
            other === 'replaced'
              ? 'Another browser replaced your text'
              : 'Another browser has a different version'
          }
          tone="warning"
          isLive
          action={
            mayChange && (
              <div className={bar.choices}>
                <Button size="sm" onPress={edited.keepCopy}>
                  Keep a copy
                </Button>
                <Button size="sm" variant="ghost" onPress={edited.dismissOther}>
                  Dismiss
                </Button>
              </div>
            )
          }
        >
          {other === 'replaced'
            ? 'Keep a copy opens what you wrote in a new tab.'
            : 'It isn’t saved yet and may replace this text. Keep a copy opens this one in a new tab.'}
        </Notice>
      )}
      {isTooLong && (
        <Notice title="This text is too long to be stored" tone="danger" isLive>
          What you see is kept in this tab only. About {EDITOR_TEXT_LENGTH.toLocaleString('en')} characters
          can be stored.
        </Notice>
      )}
      {refused !== undefined && (
        <Notice title="The file was not opened" tone="danger" isLive>
          {refused}
        </Notice>
      )}
    </div>
  )
}
