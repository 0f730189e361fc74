import { type ViewerPageMessage, viewerPageMessage } from '@patchbay/contracts/viewer'
import { Compile } from 'typebox/compile'

const check = Compile(viewerPageMessage)

/** `undefined` for what no page of ours says. */
export function readPageMessage(text: string): ViewerPageMessage | undefined {
  const value = parse(text)
  return check.Check(value) ? value : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
