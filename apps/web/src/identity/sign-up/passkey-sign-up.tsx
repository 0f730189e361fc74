import { KeyRound } from 'lucide-react'
import { useSession } from '../../session/session-context.tsx'
import { AccountForm } from './account-form.tsx'
import { signUpWithPasskey } from './sign-up.api.ts'
import { words } from './words.tsx'

interface PasskeySignUpProps {
  invitation?: string
  onSignedUp: () => void
}

/** Makes an account whose first way in is a passkey of this device. */
export function PasskeySignUp({ invitation, onSignedUp }: PasskeySignUpProps) {
  const { refresh } = useSession()
  return (
    <AccountForm
      submitLabel={words.withPasskey.submit}
      icon={<KeyRound aria-hidden />}
      submit={async (names) => {
        await signUpWithPasskey(names, invitation)
        await refresh()
        onSignedUp()
      }}
    />
  )
}
