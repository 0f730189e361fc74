import { useCallback } from 'react'
import { Skeleton } from '../../../components/skeleton.tsx'
import { useLoaded } from '../../../session/use-loaded.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { MOST_PICTURE_BYTES } from '../files/file-content.ts'
import { fetchContent } from '../files/history.api.ts'
import { usePicture } from '../files/use-picture.ts'
import styles from './curriculum.module.css'
import { words } from './words.ts'

const TYPES: Readonly<Record<string, string>> = {
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
}

interface LessonPictureProps {
  host: PanelHost
  /** In the files of the workspace; nothing is fetched from elsewhere. */
  path: string | undefined
  alt: string
}

export function LessonPicture({ host, path, alt }: LessonPictureProps) {
  const mediaType = TYPES[/\.([a-z]+)$/i.exec(path ?? '')?.[1]?.toLowerCase() ?? '']
  if (path === undefined || mediaType === undefined)
    return <span className={styles.noPicture}>{words.picture.none(alt)}</span>
  return <StoredPicture host={host} path={path} alt={alt} mediaType={mediaType} />
}

function StoredPicture({ host, path = '', alt, mediaType }: LessonPictureProps & { mediaType: string }) {
  const load = useCallback(
    (signal: AbortSignal) => fetchContent(host.workspace, { path, most: MOST_PICTURE_BYTES }, signal),
    [host, path],
  )
  const { answer } = useLoaded(load)
  const bytes = answer.state === 'loaded' ? answer.value : undefined
  const picture = usePicture(bytes, mediaType)
  if (answer.state === 'failed' || picture === null)
    return <span className={styles.noPicture}>{words.picture.none(alt)}</span>
  if (picture === undefined) return <Skeleton label={words.picture.loading} lines={3} />
  return <img src={picture} alt={alt} className={styles.picture} />
}
