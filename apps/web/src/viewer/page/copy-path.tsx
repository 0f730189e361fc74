import { Check, Copy } from 'lucide-react'
import { Fragment, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { COPY_KEYS_IN_WORDS } from '../intake/keys.ts'
import { useViewer } from '../viewer-context.ts'
import { words } from '../words.tsx'
import styles from './copy-path.module.css'

const BY_HAND = words.copyPath.byHand(COPY_KEYS_IN_WORDS)

type CopyState = 'idle' | 'copied' | 'by-hand'

/** Where the picture is, to be told to an agent. */
export function CopyPath({ path, name }: { path: string; name: string }) {
  const { announcer } = useViewer()
  const text = useRef<HTMLElement>(null)
  const [state, setState] = useState<CopyState>('idle')
  const copy = async () => {
    if (text.current === null) return
    const isCopied = await copyText(path, text.current)
    setState(isCopied ? 'copied' : 'by-hand')
    announcer.say(isCopied ? words.spoken.pathCopied : BY_HAND)
  }
  const label = state === 'copied' ? words.copyPath.copied : words.copyPath.copy
  return (
    <div className={styles.copy}>
      <div className={styles.row}>
        <code ref={text} className={styles.path}>
          {path.split(/(?<=[/-])/).map((part, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the parts of one path stay where they are
            <Fragment key={index}>
              {index > 0 && <wbr />}
              {part}
            </Fragment>
          ))}
        </code>
        <Button
          size="sm"
          aria-label={words.forPicture(label, name)}
          icon={state === 'copied' ? <Check aria-hidden /> : <Copy aria-hidden />}
          onPress={() => void copy()}
          // At once, what stands below would move up under a press that is just being made.
          onBlur={() => setTimeout(() => setState('idle'), 400)}
        >
          {label}
        </Button>
      </div>
      {state === 'by-hand' && <p className={styles.feedback}>{BY_HAND}</p>}
    </div>
  )
}

/** Puts a text into the clipboard, by the first way that works. Where none does it stays selected in its place. */
async function copyText(text: string, place: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // A frame of another origin has no right to it, and plain HTTP no such thing.
    return copyByCommand(text, place)
  }
}

/** The old way, which needs a press and no permission. */
function copyByCommand(text: string, place: HTMLElement): boolean {
  // Some browsers copy nothing unless something is selected.
  getSelection()?.selectAllChildren(place)
  let isTaken = false
  const give = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
    isTaken = true
  }
  document.addEventListener('copy', give, { capture: true })
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else is left where this is reached
    const isCopied = document.execCommand('copy') && isTaken
    if (isCopied) getSelection()?.removeAllRanges()
    return isCopied
  } catch {
    return false
  } finally {
    document.removeEventListener('copy', give, { capture: true })
  }
}
