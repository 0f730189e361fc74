import { Jack } from '../brand/jack.tsx'
import { Mark } from '../brand/mark.tsx'
import { SERVICES } from '../brand/services.ts'
import styles from './color-specimens.module.css'
import { Row, Specimen } from './specimen.tsx'

const SWATCHES = [
  'ground',
  'surface',
  'raised',
  'sunken',
  'hover',
  'accent',
  'ok',
  'warning',
  'danger',
  'info',
] as const

export function ColorSpecimens() {
  return (
    <>
      <Specimen name="Mark" use="A cable that forms a P around a jack. The jack keeps the accent.">
        <Row>
          <Mark size={20} />
          <Mark size={32} />
          <Mark size={56} />
        </Row>
      </Specimen>
      <Specimen name="Jacks" use="One cable color for each service; an empty jack where nothing is wired in.">
        <Row>
          {SERVICES.map(({ id }) => (
            <Jack key={id} cable={id} size={40} />
          ))}
          <Jack size={40} />
        </Row>
      </Specimen>
      <Specimen name="Colors" use="Tokens, never literals: each has a light and a dark value.">
        <ul className={styles.swatches}>
          {SWATCHES.map((name) => (
            <li key={name}>
              <span className={styles.swatch} data-name={name} />
              {name}
            </li>
          ))}
        </ul>
      </Specimen>
    </>
  )
}
