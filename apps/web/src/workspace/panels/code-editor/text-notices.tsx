import { Button } from '../../../components/button.tsx'
import { Notice } from '../../../components/notice.tsx'
import bar from '../parts/tool-bar.module.css'
import { LONGEST_TEXT } from './stored-text.ts'
import type { EditedText } from './use-stored-text.ts'

interface TextNoticesProps {
  edited: EditedText
  /** Why a file was not opened. */
  refused?: string | undefined
}

export function TextNotices({ edited, refused }: TextNoticesProps) {
  const { theirs, takeTheirs, keepMine, isTooLong } = edited
  if (theirs === undefined && !isTooLong && refused === undefined) return null
  return (
    <div className={bar.notices}>
      {theirs !== undefined && (
        <Notice
          title="Somebody else has changed this text"
          tone="warning"
          isLive
          action={
            <>
              <Button size="sm" onPress={takeTheirs}>
                Take theirs
              </Button>{' '}
              <Button size="sm" variant="ghost" onPress={keepMine}>
                Keep mine
              </Button>
            </>
          }
        >
          You were typing, so yours stands here.
        </Notice>
      )}
      {isTooLong && (
        <Notice title="This text is too long to be stored" tone="danger" isLive>
          What you see is kept in this tab only. About {LONGEST_TEXT.toLocaleString('en')} characters can be
          stored.
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
