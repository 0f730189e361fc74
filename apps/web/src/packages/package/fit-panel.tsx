import type { PackagePage as Shown } from '@patchbay/contracts/registry'
import { Notice } from '../../components/notice.tsx'
import { PLATFORM_NAMES } from '../words.ts'
import { isOffered, reasonsAgainst, versionFor } from './fit.ts'
import styles from './fit-panel.module.css'
import type { ChosenTarget } from './target.ts'
import { TargetFields } from './target-fields.tsx'
import { words } from './words.tsx'

interface FitPanelProps {
  shown: Shown
  target: ChosenTarget
  choose: (target: ChosenTarget) => void
}

/** Whether there is a version for this person, at a glance. */
export function FitPanel({ shown, target, choose }: FitPanelProps) {
  return (
    <div className={styles.panel}>
      <TargetFields target={target} choose={choose} />
      <output className={styles.verdict}>
        <Verdict shown={shown} target={target} />
      </output>
    </div>
  )
}

function Verdict({ shown, target }: Omit<FitPanelProps, 'choose'>) {
  const newest = shown.versions.find(isOffered)
  if (newest === undefined) return <Notice title={words.fit.nothingOffered} tone="warning" />
  if (target.toolVersion === '') return <p className={styles.ask}>{words.fit.askForTarget}</p>
  const chosen = versionFor(shown, target)
  const place = words.fit.place(target.toolVersion, PLATFORM_NAMES[target.platform])
  if (chosen === undefined)
    return (
      <Notice title={words.fit.nothing(place)} tone="warning">
        {words.fit.why(newest.version, reasonsAgainst(shown.type, newest, target).join(' '))}
      </Notice>
    )
  if (chosen.status === 'deprecated')
    return (
      <Notice title={words.fit.onlyDeprecated(chosen.version)} tone="warning">
        {words.fit.aboutDeprecated(place)}
      </Notice>
    )
  if (chosen.status !== 'stable')
    return (
      <Notice title={words.fit.version(chosen.version)}>
        {words.fit.aboutUnstable(place, chosen.status)}
      </Notice>
    )
  return (
    <Notice title={words.fit.version(chosen.version)} tone="ok">
      {words.fit.aboutStable(place)}
    </Notice>
  )
}
