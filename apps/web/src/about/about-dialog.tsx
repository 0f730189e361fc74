import { Activity } from 'lucide-react'
import { DialogTrigger } from 'react-aria-components/Dialog'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { AboutContent } from './about-content.tsx'

/** Opens the dialog that says which installation answers, and whether it answers at all. */
export function AboutButton() {
  return (
    <DialogTrigger>
      <Button variant="ghost" icon={<Activity aria-hidden />}>
        Status
      </Button>
      <Dialog title="System status">
        <AboutContent />
      </Dialog>
    </DialogTrigger>
  )
}
