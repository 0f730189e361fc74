import { stripHidden } from '@patchbay/primitives/text'
import { X } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { Link } from '../../../components/link.tsx'
import styles from './board.module.css'
import type { BoardScene } from './drawing/draw-board.ts'
import { words } from './words.ts'

/** Texts of a stranger's file. */
export const shortText = (text: string, most = 200) => stripHidden(text.slice(0, most)).trim()

interface PartDetailsProps {
  scene: BoardScene
  /** A place in the board's footprints. */
  at: number
  showNet: (net: string) => void
  clear: () => void
}

const MOST_NETS = 60

/** What is known about the selected part. */
export function PartDetails({ scene, at, showNet, clear }: PartDetailsProps) {
  const footprint = scene.footprints[at]
  if (footprint === undefined) return null
  const { reference, value, name, datasheet, description, sheetFile, side, properties, isFitted } = footprint
  const nets = new Map<string, string[]>()
  for (const pad of footprint.pads) {
    const net = scene.nets[pad.net]?.name ?? ''
    if (pad.net === 0 || net === '') continue
    const pins = nets.get(net) ?? []
    if (!pins.includes(pad.number)) pins.push(pad.number)
    nets.set(net, pins)
  }
  const facts = [
    [words.part.value, value],
    [words.part.footprint, name],
    [words.part.sheet, sheetFile],
    [words.part.side, side === 'front' ? words.part.front : words.part.back],
    ...properties
      .filter(({ name: key }) => !/^(?:Footprint|Sheetname|Sheetfile|ki_)/.test(key))
      .slice(0, 10)
      .map((one) => [one.name, one.value]),
  ].filter(([, text]) => text !== undefined && text.trim() !== '')
  return (
    <section aria-label={words.part.label} className={styles.details}>
      <header className={styles.detailsHead}>
        <h2 className={styles.reference}>{shortText(reference) || words.lists.noReference}</h2>
        {!isFitted && <span className={styles.note}>{words.lists.notFitted}</span>}
        <IconButton label={words.part.clear} size="sm" onPress={clear}>
          <X aria-hidden />
        </IconButton>
      </header>
      {description !== '' && <p className={styles.note}>{shortText(description)}</p>}
      <dl className={styles.facts}>
        {facts.map(([label = '', text = '']) => (
          <div key={label}>
            <dt>{shortText(label, 60)}</dt>
            <dd>{shortText(text)}</dd>
          </div>
        ))}
        {datasheet !== '' && (
          <div>
            <dt>{words.part.datasheet}</dt>
            <dd>
              {isWebAddress(datasheet) ? (
                <Link href={datasheet} opensNewTab>
                  {shortText(URL.parse(datasheet)?.hostname ?? datasheet)}
                </Link>
              ) : (
                shortText(datasheet)
              )}
            </dd>
          </div>
        )}
      </dl>
      <h3 className={styles.detailsTitle}>{words.part.nets}</h3>
      {nets.size === 0 && <p className={styles.note}>{words.part.noNets}</p>}
      <ul className={styles.nets}>
        {[...nets].slice(0, MOST_NETS).map(([net, pins]) => (
          <li key={net}>
            <Button size="sm" variant="ghost" onPress={() => showNet(net)}>
              {`${pins.slice(0, 4).join(', ')}${pins.length > 4 ? '…' : ''} · ${shortText(net, 60)}`}
            </Button>
          </li>
        ))}
        {nets.size > MOST_NETS && <li className={styles.note}>{words.net.more(nets.size - MOST_NETS)}</li>}
      </ul>
    </section>
  )
}

function isWebAddress(text: string): boolean {
  const address = URL.parse(text)
  return address?.protocol === 'https:' || address?.protocol === 'http:'
}
