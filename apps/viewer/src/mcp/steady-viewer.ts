import type { ViewerPort } from '../viewer-port.ts'
import { ViewerGone } from './remote-viewer.ts'
import { ToolRefusal } from './tool-refusal.ts'

/**
 * A viewer that is looked for again when it has gone: agents outlive the process that ran it. The call that notices says so and
 * does nothing else, because nobody knows how far it had come; the next one finds another viewer, or starts one.
 */
export function steadyViewer(find: () => Promise<ViewerPort>): ViewerPort {
  let current: Promise<ViewerPort> | undefined
  const using = async <T>(work: (viewer: ViewerPort) => Promise<T>): Promise<T> => {
    const asked = (current ??= find())
    try {
      return await work(await asked)
    } catch (error) {
      const isGone = error instanceof ViewerGone
      // One that was not found is not kept either. Another call may have found the next one meanwhile.
      if (current === asked && (isGone || (await isRefused(asked)))) current = undefined
      throw isGone ? gone() : error
    }
  }
  return {
    status: (signal) => using((viewer) => viewer.status(signal)),
    show: (widget, title, signal) => using((viewer) => viewer.show(widget, title, signal)),
    nextPaste: (query, signal) => using((viewer) => viewer.nextPaste(query, signal)),
    readPaste: (file, signal) => using((viewer) => viewer.readPaste(file, signal)),
  }
}

async function isRefused(found: Promise<unknown>): Promise<boolean> {
  return await found.then(
    () => false,
    () => true,
  )
}

function gone(): ToolRefusal {
  return new ToolRefusal(
    'The viewer went away: another program ran it, and has ended. Call this tool again: a viewer is then looked for, and started if there is none. Viewer pages that are open find it by themselves.',
  )
}
