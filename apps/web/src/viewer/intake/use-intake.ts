import { useEffect, useState } from 'react'
import { type Intake, isField, takeDrop, takePaste } from './intake.ts'

/** Takes what is pasted or dropped anywhere in the page. Answers whether something hangs over it. */
export function useIntake(take: (intake: Intake) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const onPaste = (event: ClipboardEvent) => {
      const intake = takePaste(event)
      if (intake === undefined) return
      event.preventDefault()
      take(intake)
    }
    const onDrag = (event: DragEvent) => {
      if (!isForPage(event)) return
      // Without this the browser would leave the page and show the file in its place.
      event.preventDefault()
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy'
      setIsOver(true)
    }
    const onLeave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setIsOver(false)
    }
    const onDrop = (event: DragEvent) => {
      setIsOver(false)
      if (!isForPage(event) || event.dataTransfer === null) return
      event.preventDefault()
      take(takeDrop(event.dataTransfer))
    }
    document.addEventListener('paste', onPaste, { signal })
    document.addEventListener('dragenter', onDrag, { signal })
    document.addEventListener('dragover', onDrag, { signal })
    document.addEventListener('dragleave', onLeave, { signal })
    document.addEventListener('drop', onDrop, { signal })
    return () => stop.abort()
  }, [take])
  return isOver
}

/** Text that is dragged into a field stays text. */
function isForPage({ target, dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true || !isField(target)
}
