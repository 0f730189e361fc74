import cables from '../brand/cables.module.css'
import { Jack } from '../brand/jack.tsx'
import type { ServiceId } from '../brand/services.ts'
import { words as brandWords } from '../brand/words.ts'
import styles from './patch-panel.module.css'
import { words } from './words.tsx'

interface Patch {
  readonly who: string
  readonly service: string
  readonly cable: ServiceId
  /** Row of the service on the right side. */
  readonly row: number
}

const PATCHES: readonly Patch[] = [
  { who: words.patchPanel.script, service: brandWords.panels.name, cable: 'panels', row: 3 },
  { who: words.patchPanel.author, service: brandWords.registry.name, cable: 'registry', row: 0 },
  { who: words.patchPanel.picture, service: brandWords.viewer.name, cable: 'viewer', row: 4 },
  { who: words.patchPanel.host, service: brandWords.gateway.name, cable: 'gateway', row: 1 },
  { who: words.patchPanel.commandLine, service: brandWords.identity.name, cable: 'identity', row: 2 },
]
const BY_ROW = PATCHES.toSorted((a, b) => a.row - b.row)

const ROW = 100
const SAG = 70

function middle(row: number): number {
  return (row + 0.5) * ROW
}

/** A cable between two rows of the panel. Both ends hang a little, as cables do. */
function cablePath(from: number, to: number): string {
  return `M0 ${middle(from)} C 38 ${middle(from) + SAG} 62 ${middle(to) + SAG} 100 ${middle(to)}`
}

/** Who plugs into which service, drawn as the product's namesake. */
export function PatchPanel() {
  return (
    <figure className={styles.panel}>
      <figcaption className={styles.words}>
        {words.patchPanel.caption(
          PATCHES.map(({ who, service }) => words.patchPanel.patch(who, service)).join(' '),
        )}
      </figcaption>
      <div aria-hidden="true" className={styles.face}>
        <ul className={styles.from}>
          {PATCHES.map(({ who, cable }) => (
            <li key={who}>
              <span>{who}</span>
              <Jack cable={cable} size={34} />
            </li>
          ))}
        </ul>
        <svg viewBox={`0 0 100 ${5 * ROW}`} preserveAspectRatio="none" className={styles.cables}>
          {PATCHES.map(({ cable, row }, from) => (
            <g key={cable} data-cable={cable} className={cables.cable}>
              <path className={styles.shade} d={cablePath(from, row)} />
              <path className={styles.cable} d={cablePath(from, row)} />
              {/* Zero-length strokes stay round however the picture is stretched. */}
              <path className={styles.plug} d={`M0 ${middle(from)}h0M100 ${middle(row)}h0`} />
            </g>
          ))}
        </svg>
        <ul className={styles.to}>
          {BY_ROW.map(({ service, cable }) => (
            <li key={service}>
              <Jack cable={cable} size={34} />
              <span>{service}</span>
            </li>
          ))}
        </ul>
      </div>
    </figure>
  )
}
