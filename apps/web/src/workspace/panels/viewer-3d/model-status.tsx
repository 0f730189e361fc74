import bar from '../parts/tool-bar.module.css'
import { sizeInWords } from './measure-model.ts'
import type { ShownModel } from './use-model.ts'
import styles from './viewer-3d.module.css'

export function ModelStatus({ model, helpId }: { model: ShownModel; helpId: string }) {
  return (
    <div className={bar.status}>
      <output className={styles.facts}>{factsInWords(model)}</output>
      <span id={helpId}>Arrow keys turn it, + and − zoom, F fits, R resets</span>
    </div>
  )
}

function factsInWords(model: ShownModel): string {
  if (model.status !== 'shown') return ''
  const { name, bytes, facts } = model
  const triangles = facts.triangles === 1 ? '1 triangle' : `${facts.triangles.toLocaleString('en')} triangles`
  return [name, triangles, sizeInWords(facts.size), bytesInWords(bytes)].join(' · ')
}

function bytesInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const [amount, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB']
  return `${amount.toLocaleString('en', { maximumSignificantDigits: 3 })} ${unit}`
}
