import { type RefObject, useCallback, useState } from 'react'
import { createPortal } from 'react-dom'
import { FRAME_STYLE, hiddenTreeOf } from '../../hidden-tree.ts'
import styles from './webview.module.css'

interface PageFrameProps {
  address: string
  title: string
  rights: string
  frame?: RefObject<HTMLIFrameElement | null>
  onLoad?: () => void
}

/**
 * A page of the web in a frame of its own, inside an empty one: a page may give its window a name, and browsers differ in
 * whether the window at the top answers to the names of those directly below it.
 *
 * Its address stays what it was at first: another one, or the same again, is another frame with another key. A new `src`
 * would add to the history of the whole tab, and a renewed ticket load the page again.
 */
export function PageFrame({ address, title, rights, frame, onLoad }: PageFrameProps) {
  const [src] = useState(address)
  const [tree, setTree] = useState<ShadowRoot>()
  const [body, setBody] = useState<HTMLElement>()
  const plant = useCallback((element: HTMLElement | null) => {
    if (element !== null) setTree(hiddenTreeOf(element))
  }, [])
  const enter = useCallback((element: HTMLIFrameElement | null) => {
    const take = () => setBody(element?.contentDocument?.body)
    // Its document is there at once; older browsers replace it by another one that is just as empty.
    take()
    element?.addEventListener('load', take)
  }, [])
  // oxlint-disable-next-line react/iframe-missing-sandbox -- nothing is ever loaded into it
  const outer = <iframe ref={enter} title={title} style={FRAME_STYLE} />
  const inner = (
    <iframe
      ref={frame}
      title={title}
      style={{ ...FRAME_STYLE, position: 'fixed', inset: '0' }}
      sandbox={rights}
      referrerPolicy="no-referrer"
      src={src}
      onLoad={onLoad}
    />
  )
  return (
    <div ref={plant} className={styles.frame}>
      {tree !== undefined && createPortal(outer, tree)}
      {body !== undefined && createPortal(inner, body)}
    </div>
  )
}

/** Whether the person is in the page of a frame. */
export function hasPerson(frame: HTMLIFrameElement | null): boolean {
  const around = frame?.ownerDocument
  return around !== undefined && around.activeElement === frame && around.hasFocus()
}
