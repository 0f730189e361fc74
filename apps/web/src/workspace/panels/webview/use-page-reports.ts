import { type RefObject, useEffect, useRef } from 'react'
import { type PageReport, readPageReport } from './page-report.ts'

/** Listens to one frame, and to nobody else: any window may send any message. */
export function usePageReports(
  frame: RefObject<HTMLIFrameElement | null>,
  isListening: boolean,
  take: (report: PageReport) => void,
): void {
  const latest = useRef(take)
  useEffect(() => {
    latest.current = take
  })
  useEffect(() => {
    if (!isListening) return undefined
    const hear = ({ source, data }: MessageEvent<unknown>) => {
      if (source === null || source !== frame.current?.contentWindow) return
      const report = readPageReport(data)
      if (report !== undefined) latest.current(report)
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [frame, isListening])
}
