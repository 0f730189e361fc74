import { KeyRound } from 'lucide-react'
import { useSession } from '../../session/session-context.tsx'
import { AccountForm } from './account-form.tsx'
import { signUpWithPasskey } from './sign-up.api.ts'

interface PasskeySignUpProps {
  invitation?: string
  onSignedUp: () => void
}

/** Makes an account whose first way in is a passkey of this device. */
export function PasskeySignUp({ invitation, onSignedUp }: PasskeySignUpProps) {
  const { refresh } = useSession()
  return (
    <AccountForm
      submitLabel="Sign up with a passkey"
      icon={<KeyRound aria-hidden />}
      submit={async (names) => {
        await signUpWithPasskey(names, invitation)
        await refresh()
        onSignedUp()
      }}
    />
  )
}
