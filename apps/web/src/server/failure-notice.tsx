import { RotateCw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../components/button.tsx'
import { Notice } from '../components/notice.tsx'
import { adviseOn } from '../errors/advice.ts'
import { words } from '../errors/words.ts'

interface FailureNoticeProps {
  error: unknown
  retry?: (() => void) | undefined
}

/** What went wrong, in a sentence, and a way to try again where that helps. Nothing without an error. */
export function FailureNotice({ error, retry }: FailureNoticeProps) {
  const heading = useRef<HTMLElement>(null)
  const isShown = error !== undefined
  useEffect(() => {
    if (!isShown) return undefined
    return () => {
      // The button has gone with the notice, and the focus with the button.
      if (heading.current === null || document.activeElement !== document.body) return
      const page = heading.current.isConnected
        ? heading.current
        : document.querySelector<HTMLElement>('main h1')
      page?.focus({ preventScroll: true })
    }
  }, [isShown])
  if (!isShown) return null
  const { title, detail } = adviseOn(error)
  const again = (
    <Button
      size="sm"
      icon={<RotateCw aria-hidden />}
      onPress={({ target }) => {
        heading.current = headingOf(target)
        retry?.()
      }}
    >
      {words.tryAgain}
    </Button>
  )
  return (
    <Notice title={title} tone="danger" isLive {...(retry === undefined ? {} : { action: again })}>
      {detail}
    </Notice>
  )
}

/** Of the part of the page that it stands in. */
function headingOf(target: Element): HTMLElement | null {
  return target.closest('main section, main')?.querySelector<HTMLElement>(':is(h1, h2)[tabindex]') ?? null
}
