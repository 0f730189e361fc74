import { Check, Copy } from 'lucide-react'
import { Fragment, useRef, useState } from 'react'
import { Button } from './button.tsx'
import styles from './copy-field.module.css'
import { words } from './words.ts'

type CopyState = 'idle' | 'copied' | 'by-hand'

const FEEDBACK = {
  idle: '',
  copied: words.copyField.isCopied,
  'by-hand': words.copyField.copyByHand,
} as const satisfies Record<CopyState, string>

/** A value that people carry elsewhere: an id, a token, an address. All of it is visible, on any width. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const text = useRef<HTMLElement>(null)
  const [state, setState] = useState<CopyState>('idle')

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setState('copied')
    } catch {
      // No clipboard without HTTPS or permission: the person copies the selection.
      if (text.current !== null) getSelection()?.selectAllChildren(text.current)
      setState('by-hand')
    }
  }

  return (
    <div className={styles.copy}>
      <p className={styles.label}>{label}</p>
      <div className={styles.row}>
        <code ref={text} className={styles.value}>
          <Breakable text={value} />
        </code>
        <Button
          aria-label={words.copyField.copyWhat(label)}
          icon={state === 'copied' ? <Check aria-hidden /> : <Copy aria-hidden />}
          onPress={() => void copy()}
          // At once, what stands below would move up under a press that is just being made.
          onBlur={() => setTimeout(() => setState('idle'), 400)}
        >
          {state === 'copied' ? words.copyField.copied : words.copyField.copy}
        </Button>
      </div>
      <output className={styles.feedback}>{FEEDBACK[state]}</output>
    </div>
  )
}

/** Lines end between words and behind slashes. Browsers would rather tear `--server` apart, or an address anywhere. */
function Breakable({ text }: { text: string }) {
  return text.split(' ').map((word, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- the words of one text stay where they are
    <Fragment key={place}>
      {place > 0 && ' '}
      <span className={styles.word}>
        {word.split(/(?<=[^:/][/])/).map((part, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- so do the parts of a word
          <Fragment key={index}>
            {index > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
      </span>
    </Fragment>
  ))
}
