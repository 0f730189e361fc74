import { Problem } from '@patchbay/contracts/core'
import type { PackagePage as Shown } from '@patchbay/contracts/registry'
import { IDENTIFIER_PATTERN } from '@patchbay/package-format'
import { useCallback } from 'react'
import { useParams } from 'react-router'
import { Unplugged } from '../../brand/unplugged.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Notice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { fetchPackage } from '../packages.api.ts'
import { PackageDetails } from './package-details.tsx'
import { PackageHeader } from './package-header.tsx'
import { words } from './words.tsx'

const IDENTIFIER = new RegExp(IDENTIFIER_PATTERN, 'u')

export function PackagePage() {
  const { identifier = '' } = useParams()
  return <OnePackage key={identifier} identifier={identifier} />
}

function OnePackage({ identifier }: { identifier: string }) {
  const load = useCallback(
    async (signal: AbortSignal): Promise<Shown> => {
      if (!IDENTIFIER.test(identifier)) throw new Problem('package_not_found')
      return await fetchPackage(identifier, signal)
    },
    [identifier],
  )
  const { answer, reload } = useLoaded(load)
  const refusal = answer.state === 'failed' && answer.error instanceof Problem ? answer.error : undefined
  const isMissing = refusal?.code === 'package_not_found'
  const isQuarantined = refusal?.code === 'package_quarantined'
  return (
    <>
      {/* One heading for all states: a new one would lose the focus that a navigation gave it. */}
      <PackageHeader
        identifier={identifier}
        shown={answer.state === 'loaded' ? answer.value : undefined}
        isMissing={isMissing}
      />
      {answer.state === 'loading' && <Skeleton label={words.loading} lines={8} />}
      {isMissing && <Missing />}
      {isQuarantined && <Quarantined reason={refusal.extensions['reason']} />}
      {answer.state === 'failed' && !isMissing && !isQuarantined && (
        <FailureNotice error={answer.error} retry={reload} />
      )}
      {answer.state === 'loaded' && <PackageDetails shown={answer.value} onChanged={reload} />}
    </>
  )
}

function Quarantined({ reason }: { reason: unknown }) {
  return (
    <Notice title={words.quarantined.title} tone="danger">
      {typeof reason === 'string' && <bdi>{reason}</bdi>} {words.quarantined.textForStrangers}
    </Notice>
  )
}

function Missing() {
  return (
    <EmptyState
      title={words.missing.reason}
      picture={<Unplugged cable="registry" />}
      actions={<ButtonLink href="/packages">{words.missing.searchAll}</ButtonLink>}
    >
      {words.missing.text}
    </EmptyState>
  )
}
