import { PackageCheck, Search, Upload } from 'lucide-react'
import { Outlook } from './outlook.tsx'

const PLANS = [
  {
    Icon: Search,
    name: 'Find a package',
    text: 'Search plugins, libraries and colour themes, and see at once which version fits your tool and platform.',
  },
  {
    Icon: PackageCheck,
    name: 'Trust what you install',
    text: 'Every archive is compared with its published SHA-256 and size before anything is unpacked.',
  },
  {
    Icon: Upload,
    name: 'Publish your own',
    text: 'Upload a version, watch it being validated, and hand out one repository address.',
  },
]

export function PackagesPage() {
  return (
    <Outlook
      service="registry"
      title="Packages"
      lead="Plugins, libraries and colour themes for your design tool, from repositories you choose."
      missing="No packages on this installation"
      why="Packages belong to the registry service, which this version does not contain yet."
      plans={PLANS}
    />
  )
}
