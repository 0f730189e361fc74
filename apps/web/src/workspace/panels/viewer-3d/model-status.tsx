import { useEffect, useState } from 'react'
import { Link } from '../../../components/link.tsx'
import bar from '../parts/tool-bar.module.css'
import { sizeInWords } from '../stage/measure-model.ts'
import styles from '../stage/stage.module.css'
import { isStep } from './mesh-formats.ts'
import type { ShownModel } from './use-model.ts'
import { words } from './words.ts'

/** The line below the view. */
export function ModelStatus({ model, helpId }: { model: ShownModel; helpId: string }) {
  return (
    <div className={bar.status}>
      <output className={styles.facts}>{factsInWords(model)}</output>
      <span id={helpId}>{words.keys}</span>
      {model.status === 'shown' && isStep(model.name) && <StepLicenses />}
    </div>
  )
}

/** What reads STEP files is somebody else's work, under a license that has to be told. */
function StepLicenses() {
  const [licenses, setLicenses] = useState<{ readonly kernel: string; readonly library: string }>()
  useEffect(() => {
    void import('./step-file.ts').then(({ STEP_LICENSES }) => setLicenses(STEP_LICENSES))
  }, [])
  if (licenses === undefined) return null
  const { before, kernel, between, library, after } = words.licenses
  return (
    <span>
      {before}
      <Link href={licenses.kernel} opensNewTab>
        {kernel}
      </Link>
      {between}
      <Link href={licenses.library} opensNewTab>
        {library}
      </Link>
      {after}
    </span>
  )
}

function factsInWords(model: ShownModel): string {
  if (model.status !== 'shown') return ''
  const { name, bytes, facts } = model
  const triangles = words.triangles(facts.triangles)
  return [name, triangles, sizeInWords(facts.size), bytesInWords(bytes)].join(' · ')
}

function bytesInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${words.units.bytes}`
  const [amount, unit] =
    bytes < 1_000_000 ? [bytes / 1000, words.units.kilobytes] : [bytes / 1_000_000, words.units.megabytes]
  return `${amount.toLocaleString('en', { maximumSignificantDigits: 3 })} ${unit}`
}
