import { EDITOR_TEXT_LENGTH } from '@patchbay/contracts/limits'
import { Button } from '../../../components/button.tsx'
import { Notice } from '../../../components/notice.tsx'
import bar from '../parts/tool-bar.module.css'
import type { EditedText } from './use-stored-text.ts'
import { words } from './words.ts'

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
          title={words.conflict.title}
          tone="warning"
          isLive
          action={
            <div className={bar.choices}>
              <Button size="sm" onPress={edited.keepBoth}>
                {words.conflict.keepBoth}
              </Button>
              <Button size="sm" variant="ghost" onPress={edited.keepMine}>
                {words.conflict.keepMine}
              </Button>
              <Button size="sm" variant="ghost" onPress={edited.takeTheirs}>
                {words.conflict.takeTheirs}
              </Button>
            </div>
          }
        >
          {words.conflict.text}
        </Notice>
      )}
      {other !== undefined && (
        <Notice
          title={words.other[other].title}
          tone="warning"
          isLive
          action={
            mayChange && (
              <div className={bar.choices}>
                <Button size="sm" onPress={edited.keepCopy}>
                  {words.other.keepCopy}
                </Button>
                <Button size="sm" variant="ghost" onPress={edited.dismissOther}>
                  {words.other.dismiss}
                </Button>
              </div>
            )
          }
        >
          {words.other[other].text}
        </Notice>
      )}
      {isTooLong && (
        <Notice title={words.tooLong.title} tone="danger" isLive>
          {words.tooLong.text(EDITOR_TEXT_LENGTH)}
        </Notice>
      )}
      {refused !== undefined && (
        <Notice title={words.notOpened.title} tone="danger" isLive>
          {refused}
        </Notice>
      )}
    </div>
  )
}
