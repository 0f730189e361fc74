import { Problem } from '@patchbay/contracts/core'
import { COURSE_LIMITS } from '@patchbay/contracts/limits'
import { getCourseProgress, patchCourseProgress } from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import { admitPerson } from '../access/admission.store.ts'
import type { Admission } from '../access/rights.store.ts'
import type { PanelsDeps } from '../deps.ts'
import { findProgress, recordProgress } from './progress.store.ts'

/** It is the person's own: whoever may look at a course may say how far they are. */
const READ: Admission = { areas: ['workspace'], access: 'read' }

export function registerCourses(app: HttpApp, deps: PanelsDeps): void {
  const { db, clock } = deps

  app.route({
    ...on(getCourseProgress),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { caller } = await admitPerson(deps, request, request.params, false, READ)
      const { folder = '' } = request.query
      return { done: await findProgress(db, { ...request.params, personId: caller.personId, folder }) }
    },
  })

  app.route({
    ...on(patchCourseProgress),
    async handler(request, reply) {
      const { caller } = await admitPerson(deps, request, request.params, true, READ)
      const { folder, done = [], notDone = [] } = request.body
      const course = { ...request.params, personId: caller.personId, folder }
      const recorded = await recordProgress(db, course, { done, notDone }, clock.now())
      if (recorded === undefined)
        throw new Problem('limit_reached', {
          detail: `A person has progress in ${COURSE_LIMITS.courses} courses of a workspace, with ${COURSE_LIMITS.marks} lessons and steps each.`,
        })
      return reply.code(200).send({ done: recorded })
    },
  })
}
