/** Why the viewer does not start, as a sentence for whoever started it. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
}

export function portIsTaken(port: number, cause: unknown): CannotStart {
  return new CannotStart(
    `Port ${port} is taken by another program. Choose another one with --port or PATCHBAY_VIEWER_PORT.`,
    { cause },
  )
}

export function projectIsNoFolder(project: string, cause?: unknown): CannotStart {
  return new CannotStart(
    `There is no folder ${project}. Name the folder of the project with --project or PATCHBAY_VIEWER_PROJECT.`,
    { cause },
  )
}
