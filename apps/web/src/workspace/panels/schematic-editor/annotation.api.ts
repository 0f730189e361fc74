import { type AnnotatedSchematic, postSchematicAnnotation } from '@patchbay/contracts/boards'
import { ask } from '../../../server/server.api.ts'
import type { Asking } from '../parts/files.api.ts'

const DEADLINE_MS = 60_000

/** Numbers the symbols of all sheets, in one step of the server. */
export async function annotateAll(
  { workspace, csrfToken }: Asking,
  path: string,
): Promise<AnnotatedSchematic> {
  const { body } = await ask(
    postSchematicAnnotation,
    { params: workspace, body: { path } },
    { headers: { 'x-csrf-token': csrfToken() }, deadlineMs: DEADLINE_MS },
  )
  return body
}
