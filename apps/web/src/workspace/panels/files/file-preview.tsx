import { Download } from 'lucide-react'
import { lazy, Suspense, useCallback } from 'react'
import { ButtonLink } from '../../../components/button-link.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { sizeInWords } from '../../../parts/size-words.ts'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import { useLoaded } from '../../../session/use-loaded.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { fileAddress } from '../parts/files.api.ts'
import { explain } from './explain.ts'
import { MOST_PICTURE_BYTES, MOST_TEXT_BYTES, textOf, viewOf } from './file-content.ts'
import { type FileEntry, nameOf } from './file-tree.ts'
import styles from './files.module.css'
import { fetchContent } from './history.api.ts'
import { usePicture } from './use-picture.ts'
import { words } from './words.ts'

/** With its editor, which most people who look at a list of files do not need. */
export const TextView = lazy(async () => ({ default: (await import('./text-view.tsx')).TextView }))

interface FilePreviewProps {
  host: PanelHost
  file: FileEntry
}

/** What is in a file, as far as it can be looked at here. */
export function FilePreview({ host, file }: FilePreviewProps) {
  const view = viewOf(file)
  if (view === 'none') return <NoPreview host={host} file={file} />
  return view === 'text' ? (
    <TextPreview host={host} file={file} />
  ) : (
    <PicturePreview host={host} file={file} />
  )
}

function TextPreview({ host, file }: FilePreviewProps) {
  const { path, revision } = file
  const load = useCallback(
    async (signal: AbortSignal) =>
      textOf(await fetchContent(host.workspace, { path, revision, most: MOST_TEXT_BYTES }, signal)),
    [host, path, revision],
  )
  const { answer, reload } = useLoaded(load)
  if (answer.state === 'loading') return <Skeleton label={words.details.loading} lines={5} />
  if (answer.state === 'failed')
    return (
      <div className={styles.message}>
        <FailureNotice error={explain(answer.error)} retry={reload} />
      </div>
    )
  if (answer.value === undefined) return <NoPreview host={host} file={file} />
  if (answer.value === '') return <p className={styles.message}>{words.details.empty}</p>
  return (
    <Suspense fallback={<Skeleton label={words.details.loading} lines={5} />}>
      <TextView label={words.details.contentOf(path)} fileName={nameOf(path)} text={answer.value} />
    </Suspense>
  )
}

function PicturePreview({ host, file }: FilePreviewProps) {
  const { path, revision, mediaType } = file
  const load = useCallback(
    (signal: AbortSignal) =>
      fetchContent(host.workspace, { path, revision, most: MOST_PICTURE_BYTES }, signal),
    [host, path, revision],
  )
  const { answer, reload } = useLoaded(load)
  const bytes = answer.state === 'loaded' ? answer.value : undefined
  const picture = usePicture(bytes, mediaType)
  if (answer.state === 'failed')
    return (
      <div className={styles.message}>
        <FailureNotice error={explain(answer.error)} retry={reload} />
      </div>
    )
  if (picture === undefined) return <Skeleton label={words.details.loading} lines={5} />
  if (picture === null) return <NoPreview host={host} file={file} />
  return (
    <div className={styles.picture}>
      <img src={picture} alt={nameOf(path)} />
    </div>
  )
}

function NoPreview({ host, file: { path, size, mediaType } }: FilePreviewProps) {
  return (
    <div className={styles.message}>
      <p>{words.details.noPreview(mediaType, sizeInWords(size))}</p>
      <ButtonLink
        size="sm"
        href={fileAddress(host.workspace, path)}
        download={nameOf(path)}
        icon={<Download aria-hidden />}
      >
        {words.menu.download}
      </ButtonLink>
    </div>
  )
}
