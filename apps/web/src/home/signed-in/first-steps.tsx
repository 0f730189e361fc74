import { Check } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CopyField } from '../../components/copy-field.tsx'
import { Link } from '../../components/link.tsx'
import { Section } from '../../parts/section.tsx'
import { STEPS, type Step } from './signed-in.api.ts'
import styles from './signed-in.module.css'
import { words } from './words.tsx'

const KEY = 'patchbay-first-steps'
const HIDDEN = 'hidden'

/** What there is to try, with what was tried already. It goes when all of it was, or when nobody wants to see it. */
export function FirstSteps({ owner, done }: { owner: string; done: ReadonlySet<Step> }) {
  const [isHidden, setIsHidden] = useState(() => localStorage.getItem(KEY) === HIDDEN)
  if (isHidden || done.size === STEPS.length) return null
  const hide = () => {
    localStorage.setItem(KEY, HIDDEN)
    setIsHidden(true)
  }
  return (
    <Section
      id="first-steps"
      title={words.steps.title}
      lead={words.steps.count(done.size, STEPS.length)}
      action={<Button onPress={hide}>{words.steps.hide}</Button>}
    >
      <ol aria-label={words.steps.title} className={styles.steps}>
        {STEPS.map((step, index) => (
          <li key={step} className={styles.step} data-done={done.has(step)}>
            <span className={styles.mark}>
              {done.has(step) ? <Check aria-label={words.steps.done} /> : index + 1}
            </span>
            <div className={styles.words}>
              <h3 className={styles.name}>{words.steps.names[step]}</h3>
              <p>{words.steps.texts[step]}</p>
              {!done.has(step) && <Way step={step} owner={owner} />}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** Where a step begins. Without one it begins in a terminal. */
const PLACES: Readonly<Partial<Record<Step, (owner: string) => string>>> = {
  workspace: () => '/workspaces',
  device: () => '/workspaces',
  package: (owner) => `/publishers/${owner}`,
  agent: () => '/account#api-keys',
}

function Way({ step, owner }: { step: Step; owner: string }) {
  const placeOf = PLACES[step]
  if (placeOf === undefined)
    return (
      <CopyField
        label={words.steps.ways[step]}
        value={`npm install --global @patchbay/cli && patchbay login --server ${location.origin}`}
      />
    )
  return (
    <Link variant="onward" href={placeOf(owner)}>
      {words.steps.ways[step]}
    </Link>
  )
}
