import { Problem } from '@patchbay/contracts/core'
import type { MemberRole } from '@patchbay/contracts/identity'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Select } from '../../components/select.tsx'
import { TextField } from '../../components/text-field.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useAction } from '../../server/use-action.ts'
import { isHandle } from '../sign-up/handle-field.tsx'
import styles from './members-dialog.module.css'
import { ROLE_OPTIONS } from './roles.ts'
import { words } from './words.tsx'

interface AddMemberProps {
  isBusy: boolean
  add: (handle: string, role: MemberRole) => Promise<void>
}

export function AddMember({ isBusy, add }: AddMemberProps) {
  const [handle, setHandle] = useState('')
  const [role, setRole] = useState<MemberRole>('member')
  const [unknown, setUnknown] = useState<string>()
  const adding = useAction(async () => {
    try {
      await add(handle, role)
      setHandle('')
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'not_found')) throw error
      // Said at the field, where it can be mended.
      setUnknown(handle)
    }
  })
  return (
    <>
      <FailureNotice error={adding.error} />
      <form
        className={styles.add}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (isHandle(handle)) adding.run()
        }}
      >
        <TextField
          label={words.members.add.handle}
          errorMessage={handle !== '' && handle === unknown ? words.members.add.unknownHandle : undefined}
          value={handle}
          onChange={(text) => setHandle(text.toLowerCase())}
          isMono
          autoComplete="off"
          spellCheck="false"
        />
        <Select
          label={words.members.add.role}
          options={ROLE_OPTIONS}
          value={role}
          onChange={(chosen) => setRole(chosen as MemberRole)}
        />
        <Button type="submit" isPending={adding.isPending} isDisabled={isBusy || !isHandle(handle)}>
          {words.members.add.submit}
        </Button>
      </form>
    </>
  )
}
