import { Camera, LayoutPanelLeft, ShieldCheck } from 'lucide-react'
import { Outlook } from './outlook.tsx'

const PLANS = [
  {
    Icon: LayoutPanelLeft,
    name: 'Open a workspace',
    text: 'Editors, viewers, sensors and media side by side, in the layout you left them in.',
  },
  {
    Icon: ShieldCheck,
    name: 'See who is driving',
    text: 'Every script and agent that acts on a panel is named, with the reason it gave. You can stop it.',
  },
  {
    Icon: Camera,
    name: 'Share what is on screen',
    text: 'Allow screenshots of one panel, the workspace or the screen, and take the permission back.',
  },
]

export function WorkspacesPage() {
  return (
    <Outlook
      service="panels"
      title="Workspaces"
      lead="A workspace is a browser tab full of panels that you, your scripts and your agents work in together."
      missing="No workspaces on this installation"
      why="Workspaces belong to the panels service, which this version does not contain yet."
      plans={PLANS}
    />
  )
}
