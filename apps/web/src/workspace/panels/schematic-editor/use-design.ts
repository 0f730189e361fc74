import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { PanelHost } from '../../panel-definition.ts'
import { DesignFiles, type DesignSnapshot } from './editing/design-files.ts'

const nothing = () => () => {}

/** The files of a schematic for as long as it is shown. */
export function useDesign(
  host: PanelHost,
  path: string,
  onMoved: (path: string) => void,
): { files: DesignFiles; snapshot: DesignSnapshot } | undefined {
  const [files, setFiles] = useState<DesignFiles>()
  const moved = useRef(onMoved)
  useEffect(() => {
    moved.current = onMoved
  })
  useEffect(() => {
    const made = new DesignFiles(host, path, (next) => moved.current(next))
    // oxlint-disable-next-line react/set-state-in-effect -- what is opened here must be closed, also where effects run twice
    setFiles(made)
    const ask = (event: BeforeUnloadEvent) => {
      if (!made.isSent) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => {
      removeEventListener('beforeunload', ask)
      setFiles(undefined)
      made.close()
    }
  }, [host, path])
  const snapshot = useSyncExternalStore(
    files === undefined ? nothing : (listener) => files.subscribe(listener),
    () => files?.snapshot,
  )
  return files === undefined || snapshot === undefined ? undefined : { files, snapshot }
}
