import { Activity } from 'lucide-react'
import { DialogTrigger } from 'react-aria-components/Dialog'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { AboutContent } from './about-content.tsx'
import { words } from './words.ts'

/** Opens the dialog that says which installation answers, and whether it answers at all. */
export function AboutButton() {
  return (
    <DialogTrigger>
      <Button variant="ghost" icon={<Activity aria-hidden />}>
        {words.open}
      </Button>
      <Dialog title={words.title}>
        <AboutContent />
      </Dialog>
    </DialogTrigger>
  )
}
