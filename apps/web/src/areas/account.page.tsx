import { Fingerprint, KeyRound, MonitorSmartphone } from 'lucide-react'
import { Outlook } from './outlook.tsx'

const PLANS = [
  {
    Icon: Fingerprint,
    name: 'Sign in',
    text: 'With a passkey or your organisation’s identity provider. Apps that ask for a session never see either.',
  },
  {
    Icon: MonitorSmartphone,
    name: 'Review your sessions',
    text: 'Each browser and each app that holds a session is listed with its age. End one, or all.',
  },
  {
    Icon: KeyRound,
    name: 'Make API keys',
    text: 'For scripts that control panels. A key is shown once, can expire, and can be revoked.',
  },
]

export function AccountPage() {
  return (
    <Outlook
      service="identity"
      title="Account"
      lead="How you sign in, which apps act for you, and the keys your scripts use."
      missing="No accounts on this installation"
      why="Accounts belong to the identity service, which this version does not contain yet."
      plans={PLANS}
    />
  )
}
