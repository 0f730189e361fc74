import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { COURSE_LIMITS, FILE_LIMITS } from '../core/limits.ts'
import { workspaceChangeRefusals, workspaceParams, workspaceRefusals } from './workspaces.ts'

const STRICT = { additionalProperties: false } as const
const folder = Type.String({
  maxLength: FILE_LIMITS.pathBytes,
  description: 'The folder of the course in the files of the workspace; empty for the top.',
})
const mark = Type.String({
  minLength: 1,
  maxLength: COURSE_LIMITS.markLength,
  description: 'What is done: the name of a lesson, or that and the id of a step, as in `01-blink.md#run`.',
})
const marks = Type.Array(mark, { maxItems: COURSE_LIMITS.marks })

export const courseProgress = Type.Object({ done: Type.Array(mark) })
export type CourseProgress = Static<typeof courseProgress>

const path = '/api/workspaces/editor/{owner}/{repo}/course-progress'
const tag = 'Workspaces'
const personOnly = 'browser_session_required'

export const getCourseProgress = endpoint({
  method: 'GET',
  path,
  name: 'getCourseProgress',
  summary: 'What the person who asks has done of a course',
  description:
    'For the person in their browser alone: nobody else sees it, whatever they may do in the workspace.',
  tag,
  params: workspaceParams,
  query: Type.Object({ folder: Type.Optional(folder) }, STRICT),
  responses: { 200: courseProgress },
  problems: [...workspaceRefusals, personOnly],
})

export const patchCourseProgress = endpoint({
  method: 'PATCH',
  path,
  name: 'recordCourseProgress',
  summary: 'Marks lessons and steps as done, or as not done',
  description: `Whoever may see the workspace has progress of their own. At most ${COURSE_LIMITS.marks} marks in a course, and ${COURSE_LIMITS.courses} courses of a person in a workspace.`,
  tag,
  params: workspaceParams,
  body: Type.Object({ folder, done: Type.Optional(marks), notDone: Type.Optional(marks) }, STRICT),
  responses: { 200: courseProgress },
  problems: [...workspaceChangeRefusals, personOnly, 'limit_reached'],
})
