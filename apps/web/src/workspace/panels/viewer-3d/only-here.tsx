import { Share2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Progress } from '../../../components/progress.tsx'
import { UserError } from '../../../errors/user-error.ts'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { useAction } from '../../../server/use-action.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { isChangedMeanwhile, isTaken } from '../files/explain.ts'
import { type Asking, writeFile } from '../parts/files.api.ts'
import bar from '../parts/tool-bar.module.css'
import { words } from './words.ts'

const FOLDER = 'models'
const MOST_NAMES = 20

interface OnlyHereProps {
  host: PanelHost
  file: File
  /** Whether to share it at once: it was put here to be seen. */
  startsNow: boolean
  /** Told where it is then. Without it the person may only look. */
  shared: ((path: string) => void) | undefined
  dismiss: () => void
}

/** That nobody else sees a model, and the way to change that. */
export function OnlyHere({ host, file, startsNow, shared, dismiss }: OnlyHereProps) {
  const [percent, setPercent] = useState<number>()
  const sharing = useAction(async () => {
    setPercent(0)
    try {
      shared?.(await upload(host, file, setPercent))
    } finally {
      setPercent(undefined)
    }
  })
  const hasStarted = useRef(false)
  const { run } = sharing
  useEffect(() => {
    if (!startsNow || shared === undefined || hasStarted.current) return
    hasStarted.current = true
    run()
  }, [startsNow, shared, run])
  return (
    <>
      <Notice
        title={words.onlyHere.title}
        isLive
        action={
          <span className={bar.choices}>
            {shared !== undefined && (
              <Button
                size="sm"
                icon={<Share2 aria-hidden />}
                isPending={sharing.isPending}
                onPress={sharing.run}
              >
                {words.onlyHere.share}
              </Button>
            )}
            <Button size="sm" variant="ghost" onPress={dismiss}>
              {words.onlyHere.dismiss}
            </Button>
          </span>
        }
      >
        {shared === undefined ? words.onlyHere.textViewer : words.onlyHere.text}
        {percent !== undefined && <Progress label={words.onlyHere.sharing(file.name)} value={percent} />}
      </Notice>
      <FailureNotice error={sharing.error} />
    </>
  )
}

/** Under its own name, or the first free one like it: what is there is somebody's. */
async function upload(asking: Asking, file: File, onProgress: (percent: number) => void): Promise<string> {
  const [, stem = file.name, ending = ''] = /^(.*?)(\.[^.]*)?$/.exec(file.name) ?? []
  for (let number = 1; number <= MOST_NAMES; number += 1) {
    const path = `${FOLDER}/${stem}${number === 1 ? '' : `-${number}`}${ending}`
    try {
      await writeFile(asking, path, file, { onProgress })
      return path
    } catch (error) {
      if (!isChangedMeanwhile(error) && !isTaken(error)) throw error
    }
  }
  throw new UserError(words.onlyHere.noName.title, words.onlyHere.noName.text)
}
