import { Download, MoreHorizontal, Pencil, Plus, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { MenuTrigger } from 'react-aria-components/Menu'
import { Button, type ButtonVariant } from '../components/button.tsx'
import { ButtonLink } from '../components/button-link.tsx'
import { IconButton } from '../components/icon-button.tsx'
import { Link } from '../components/link.tsx'
import { Menu } from '../components/menu.tsx'
import { SkipLink } from '../components/skip-link.tsx'
import { notify } from '../components/toast.tsx'
import { Tooltip } from '../components/tooltip.tsx'
import { Row, Specimen } from './specimen.tsx'

const VARIANTS: readonly ButtonVariant[] = ['primary', 'secondary', 'ghost', 'danger']
const ENTRIES = [
  { id: 'edit', label: 'Edit metadata', icon: <Pencil aria-hidden /> },
  { id: 'download', label: 'Download archive', icon: <Download aria-hidden />, isDisabled: true },
  { id: 'delete', label: 'Delete version', icon: <Trash2 aria-hidden />, tone: 'danger' },
] as const

export function ActionSpecimens() {
  return (
    <>
      <Specimen name="Button" use="One primary on a page. Danger only where something is lost.">
        <Row>
          {VARIANTS.map((variant) => (
            <Button key={variant} variant={variant}>
              {variant}
            </Button>
          ))}
        </Row>
        <Row>
          <Button size="sm" icon={<Plus aria-hidden />}>
            Small
          </Button>
          <Button icon={<Plus aria-hidden />}>Medium</Button>
          <Button size="lg" icon={<Plus aria-hidden />}>
            Large
          </Button>
        </Row>
        <Row>
          <Button variant="primary" isPending>
            Publishing
          </Button>
          <Button isDisabled>Disabled</Button>
          <ButtonLink href="/components">Button that is a link</ButtonLink>
        </Row>
      </Specimen>
      <Specimen name="Icon button" use="Where the icon is known and room is short. Its label is spoken.">
        <Row>
          <Tooltip text="Edit metadata">
            <IconButton label="Edit metadata">
              <Pencil aria-hidden />
            </IconButton>
          </Tooltip>
          <IconButton label="Download archive" variant="secondary">
            <Download aria-hidden />
          </IconButton>
          <IconButton label="Add version" variant="primary">
            <Plus aria-hidden />
          </IconButton>
          <IconButton label="Delete version" variant="danger" size="sm">
            <Trash2 aria-hidden />
          </IconButton>
        </Row>
      </Specimen>
      <Specimen
        name="Link"
        use="Goes somewhere. Inline in a sentence, onward below a block, quiet in a list."
      >
        <p>
          A link <Link href="/components">in a sentence</Link>, and one that{' '}
          <Link href="/openapi.json" opensNewTab>
            leaves the app
          </Link>
          .
        </p>
        <Row isLoose>
          <Link variant="onward" href="/components">
            A link onward
          </Link>
          <Link variant="quiet" href="/components">
            A quiet link
          </Link>
        </Row>
      </Specimen>
      <Specimen name="Menu" use="Actions on one thing. With a selection it shows what is chosen.">
        <Row>
          <MenuTrigger>
            <IconButton label="More actions" variant="secondary">
              <MoreHorizontal aria-hidden />
            </IconButton>
            <Menu
              aria-label="More actions"
              placement="bottom start"
              entries={ENTRIES}
              onAction={(id) => notify({ title: `You chose “${id}”.`, tone: 'info' })}
            />
          </MenuTrigger>
        </Row>
      </Specimen>
      <Specimen
        name="Tooltip"
        use="Says more about a control on hover and focus. Never the only place for anything."
      >
        <Row>
          <Tooltip text="Compares every archive with its SHA-256" placement="right">
            <Button>Hover or focus me</Button>
          </Tooltip>
        </Row>
      </Specimen>
      <SkipLinkSpecimen />
    </>
  )
}

function SkipLinkSpecimen() {
  const target = useRef<HTMLParagraphElement>(null)
  return (
    <Specimen name="Skip link" use="First on a page. Seen while the keyboard is on it; Tab reaches it here.">
      <SkipLink target={target}>Skip to the sample</SkipLink>
      <p ref={target} tabIndex={-1}>
        What it leads to takes the focus.
      </p>
    </Specimen>
  )
}
