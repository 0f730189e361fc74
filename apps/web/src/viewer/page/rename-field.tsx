import { PASTE_LIMITS } from '@patchbay/contracts/limits'
import type { Paste } from '@patchbay/contracts/viewer'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/text-field.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useAction } from '../../server/use-action.ts'
import { slugOf } from '../pastes/slug.ts'
import { useViewer } from '../viewer-context.ts'
import { words } from '../words.tsx'
import styles from './pictures.module.css'

/** Turns whatever is typed into a name that files can have, in view of the person. */
export function RenameField({ paste, close }: { paste: Paste; close: () => void }) {
  const { pastes, announcer } = useViewer()
  const [typed, setTyped] = useState(paste.name)
  const form = useRef<HTMLFormElement>(null)
  const slug = slugOf(typed)
  const renaming = useAction(async () => {
    if (slug !== pastes.find(paste.id)?.name) {
      await pastes.rename(paste.id, slug)
      announcer.say(words.spoken.named(pastes.find(paste.id)?.name))
    }
    close()
  })
  useEffect(() => {
    const input = form.current?.querySelector('input')
    input?.focus()
    input?.select()
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (slug !== '') renaming.run()
  }
  return (
    <form ref={form} onSubmit={submit} className={styles.rename}>
      <TextField
        label={words.rename.label(paste.name)}
        isLabelHidden
        size="sm"
        isMono
        value={typed}
        maxLength={4 * PASTE_LIMITS.nameLength}
        onChange={setTyped}
        onKeyDown={({ key }) => {
          if (key === 'Escape') close()
        }}
        description={slug === typed ? words.rename.rule : words.rename.willBe(slug)}
        errorMessage={slug === '' ? words.rename.nothingLeft : undefined}
      />
      <div className={styles.actions}>
        <Button
          type="submit"
          size="sm"
          variant="primary"
          isDisabled={slug === ''}
          isPending={renaming.isPending}
        >
          {words.rename.save}
        </Button>
        <Button size="sm" variant="ghost" onPress={close}>
          {words.rename.cancel}
        </Button>
      </div>
      <FailureNotice error={renaming.error} />
    </form>
  )
}
