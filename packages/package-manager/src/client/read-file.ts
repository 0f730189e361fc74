import type { Answer, Request } from './answer.ts'
import { collect, type ReadProgress, type WholeBody, withinLimit } from './body.ts'
import { refusePages } from './content.ts'
import { openFile } from './file-source.ts'
import { type HttpDeps, openHttp } from './http-source.ts'
import { withRetries } from './retries.ts'

export interface ReadDeps extends HttpDeps {
  readonly random: () => number
}

/** The answer once it has begun, with a status and a kind of content that can be the file. */
export async function openWithRetries(request: Request, deps: ReadDeps): Promise<Answer> {
  request.signal?.throwIfAborted()
  return withRetries(() => openAnswer(request, deps), { ...deps, signal: request.signal })
}

export interface ReadFile extends WholeBody {
  readonly answer: Answer
}

/** A whole small file. `undefined`: it has not changed. An answer that breaks off is asked for again. */
export async function readFile(
  request: Request,
  deps: ReadDeps,
  onProgress?: (progress: ReadProgress) => void,
): Promise<ReadFile | undefined> {
  request.signal?.throwIfAborted()
  return withRetries(
    async () => {
      const answer = await openAnswer(request, deps)
      try {
        if (answer.isNotModified) return undefined
        return { answer, ...(await collect(withinLimit(answer, request.maxBytes, onProgress))) }
      } catch (error) {
        request.signal?.throwIfAborted()
        throw error
      } finally {
        await answer.close()
      }
    },
    { ...deps, signal: request.signal },
  )
}

/** One attempt. */
export async function openAnswer(request: Request, deps: HttpDeps): Promise<Answer> {
  if (request.url.protocol === 'file:') return openFile(request, deps.limits)
  const answer = await openHttp(request, deps)
  try {
    if (!answer.isNotModified) refusePages(answer)
    return answer
  } catch (error) {
    await answer.close()
    throw error
  }
}
