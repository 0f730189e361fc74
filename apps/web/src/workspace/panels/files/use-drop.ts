import { type DragEvent, useEffect, useRef, useState } from 'react'
import { type FileTree, isIn, joinPath, nameOf, parentOf } from './file-tree.ts'

interface DropOptions {
  readonly tree: FileTree
  readonly mayChange: boolean
  readonly move: (path: string, to: string) => void
  /** Must take what it needs at once: the browser takes it back after the event. */
  readonly upload: (dropped: DataTransfer, folder: string) => void
  readonly expand: (folder: string) => void
}

interface Drop {
  /** The folder that something is held over; empty for the whole. */
  readonly folder: string | undefined
  /** Says which row is being dragged. */
  readonly setDragged: (path: string | undefined) => void
  readonly handlers: {
    readonly onDragOver: (event: DragEvent) => void
    readonly onDragLeave: (event: DragEvent) => void
    readonly onDrop: (event: DragEvent) => void
  }
}

/** As file managers do: who holds something over a closed folder wants to look into it. */
const OPEN_AFTER_MS = 700

/** Takes rows that are dragged to another folder, and files of this computer, anywhere in the panel. */
export function useDrop({ tree, mayChange, move, upload, expand }: DropOptions): Drop {
  const dragged = useRef<string>(undefined)
  const [folder, setFolder] = useState<string>()
  const expandLatest = useRef(expand)
  useEffect(() => {
    expandLatest.current = expand
  })
  useEffect(() => {
    if (folder === undefined || folder === '') return undefined
    const timer = setTimeout(() => expandLatest.current(folder), OPEN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [folder])

  const folderAt = ({ target }: DragEvent): string => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-path]') : null
    const path = row?.dataset['path'] ?? ''
    return tree.files.has(path) ? parentOf(path) : path
  }
  const isOfComputer = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  const isPossible = (event: DragEvent): boolean => {
    if (!mayChange) return false
    if (isOfComputer(event)) return true
    const target = folderAt(event)
    const path = dragged.current
    return path !== undefined && target !== parentOf(path) && !isIn(target, path)
  }
  return {
    folder,
    setDragged(path) {
      dragged.current = path
      if (path === undefined) setFolder(undefined)
    },
    handlers: {
      onDragOver(event) {
        const isTaken = isPossible(event)
        // Without this the browser would leave the workspace and show the file in its place.
        if (isTaken || isOfComputer(event)) event.preventDefault()
        if (isOfComputer(event)) event.dataTransfer.dropEffect = isTaken ? 'copy' : 'none'
        setFolder(isTaken ? folderAt(event) : undefined)
      },
      onDragLeave({ currentTarget, relatedTarget }) {
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setFolder(undefined)
      },
      onDrop(event) {
        const isTaken = isPossible(event)
        const path = dragged.current
        dragged.current = undefined
        setFolder(undefined)
        if (isTaken || isOfComputer(event)) event.preventDefault()
        if (!isTaken) return
        const target = folderAt(event)
        if (isOfComputer(event)) upload(event.dataTransfer, target)
        else if (path !== undefined) move(path, joinPath(target, nameOf(path)))
      },
    },
  }
}
