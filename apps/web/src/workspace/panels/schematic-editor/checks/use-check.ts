import type { BoardCheckReport } from '@patchbay/contracts/boards'
import type { Document } from '@patchbay/kicad-format'
import { useEffect, useState } from 'react'
import type { PanelHost } from '../../../panel-definition.ts'
import { fetchReport } from '../../board-jobs/board-jobs.api.ts'
import { type JobState, useBoardJob } from '../../board-jobs/use-board-job.ts'
import type { DesignSnapshot } from '../editing/design-files.ts'

/** Whoever goes on drawing is not checked in between. */
const PAUSE_MS = 2_000

export interface Check {
  readonly job: JobState<BoardCheckReport>
  /** The newest that is known. */
  readonly report: BoardCheckReport | undefined
  /** The design was changed since. */
  readonly isStale: boolean
  readonly again: () => void
}

/** KiCad's electrical rules check of a schematic with all its sheets: after a pause, once everything is saved. */
export function useCheck(host: PanelHost, path: string, snapshot: DesignSnapshot): Check {
  const version = useVersion(snapshot.documents)
  const [asked, setAsked] = useState<{ readonly version: number; readonly turn: number }>()
  const [known, setKnown] = useState<{ readonly report: BoardCheckReport; readonly version: number }>()
  const job = useBoardJob({
    host,
    path,
    operation: 'erc',
    tag: asked === undefined ? undefined : `${asked.version} ${asked.turn}`,
    needsWorker: true,
    read: (done, signal) => fetchReport(host.workspace, done, signal),
  })
  if (asked !== undefined && job.status === 'done' && known?.report !== job.result)
    setKnown({ report: job.result, version: asked.version })
  // One job at a time: KiCad would check what nobody waits for anymore.
  const isDue = isSaved(snapshot) && asked?.version !== version && job.status !== 'waiting'
  useEffect(() => {
    if (!isDue) return undefined
    const timer = setTimeout(() => setAsked({ version, turn: 0 }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isDue, version])
  return {
    job,
    report: known?.report,
    isStale: known !== undefined && known.version !== version,
    again: () => setAsked((before) => ({ version, turn: (before?.turn ?? 0) + 1 })),
  }
}

function isSaved({ status, isLoading }: DesignSnapshot): boolean {
  if (isLoading) return false
  return status.state === 'too_long' || (status.state === 'open' && status.isSaved && status.isReadable)
}

/** Another number for other documents. */
function useVersion(documents: ReadonlyMap<string, Document>): number {
  const [known, setKnown] = useState({ documents, version: 1 })
  const isSame =
    known.documents.size === documents.size &&
    [...documents].every(([path, document]) => known.documents.get(path) === document)
  if (!isSame) setKnown({ documents, version: known.version + 1 })
  return isSame ? known.version : known.version + 1
}
