import type { PackagePage as Shown } from '@patchbay/contracts/registry'
import { Notice } from '../../components/notice.tsx'
import { PLATFORM_NAMES } from '../words.ts'
import { isOffered, reasonsAgainst, versionFor } from './fit.ts'
import styles from './fit-panel.module.css'
import type { ChosenTarget } from './target.ts'
import { TargetFields } from './target-fields.tsx'

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
  if (newest === undefined) return <Notice title="Nothing to install" tone="warning" />
  if (target.toolVersion === '')
    return <p className={styles.ask}>Enter the version of your design tool to see what fits.</p>
  const chosen = versionFor(shown, target)
  const place = `tool ${target.toolVersion} on ${PLATFORM_NAMES[target.platform]}`
  if (chosen === undefined)
    return (
      <Notice title={`Nothing fits ${place}`} tone="warning">
        {newest.version}: {reasonsAgainst(shown.type, newest, target).join(' ')}
      </Notice>
    )
  if (chosen.status === 'deprecated')
    return (
      <Notice title={`Only version ${chosen.version} fits, and it is deprecated`} tone="warning">
        Its author no longer recommends it, but nothing else works with {place}.
      </Notice>
    )
  if (chosen.status !== 'stable')
    return (
      <Notice title={`Version ${chosen.version} fits`}>
        No stable version works with {place}. This one is marked as {chosen.status}.
      </Notice>
    )
  return (
    <Notice title={`Version ${chosen.version} fits`} tone="ok">
      The latest stable version that works with {place}.
    </Notice>
  )
}
