import { Building2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { goToIssuer, type SignInOptions } from './sign-in.api.ts'
import { words } from './words.tsx'

interface IssuerButtonsProps {
  issuers: SignInOptions['issuers']
  returnTo: string
  invitation?: string | undefined
}

export function IssuerButtons({ issuers, returnTo, invitation }: IssuerButtonsProps) {
  const [leavingTo, setLeavingTo] = useState<string>()
  useEffect(() => {
    // Whoever comes back with the browser's button finds the page as it was left: with a button that still turns.
    const cameBack = () => setLeavingTo(undefined)
    addEventListener('pageshow', cameBack)
    return () => removeEventListener('pageshow', cameBack)
  }, [])
  return issuers.map(({ id, name }) => (
    <Button
      key={id}
      size="lg"
      icon={<Building2 aria-hidden />}
      isPending={leavingTo === id}
      isDisabled={leavingTo !== undefined && leavingTo !== id}
      onPress={() => {
        setLeavingTo(id)
        goToIssuer(id, { returnTo, invitation })
      }}
    >
      {words.panel.withIssuer(name)}
    </Button>
  ))
}
