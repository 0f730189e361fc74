import { postInvitation } from '@patchbay/contracts/identity'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Checkbox } from '../../components/checkbox.tsx'
import { useSession } from '../../session/session-context.tsx'
import { When } from '../../time/when.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { ShownOnce } from '../shown-once.tsx'

export function Invite() {
  const { change } = useSession()
  const [makesAdmin, setMakesAdmin] = useState(false)
  const invite = async () => {
    const { body } = await change(postInvitation, { body: { makes_admin: makesAdmin } })
    setMakesAdmin(false)
    return (
      <ShownOnce label="Invitation link" value={body.url} warning="Copy the link now. It is not shown again.">
        Whoever opens it first makes the account. It expires <When at={body.expires_at} />.
      </ShownOnce>
    )
  }
  return (
    <FormDialog
      label="Invite someone"
      icon={<UserPlus aria-hidden />}
      title="Invite someone"
      submitLabel="Create link"
      canSubmit
      submit={invite}
    >
      <p>Creates a link that lets one person create an account, whatever this server’s sign-up rule is.</p>
      <Checkbox isSelected={makesAdmin} onChange={setMakesAdmin}>
        Make them an administrator
      </Checkbox>
    </FormDialog>
  )
}
