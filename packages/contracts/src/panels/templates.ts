/** What a new workspace can begin with, besides nothing. What is in them is the server's business. */
export const WORKSPACE_TEMPLATES = [
  {
    id: 'sample',
    name: 'Sample: night lamp',
    description: 'A schematic to edit, a script that shows what it does, and notes.',
  },
  {
    id: 'board-bring-up',
    name: 'Board bring-up',
    description: 'A checklist, a table for measurements, firmware that blinks, and the board in 3D.',
  },
  {
    id: 'robot',
    name: 'Robot',
    description: 'A control loop to run, the settings of its motors, its model in 3D, and a log.',
  },
  {
    id: 'course',
    name: 'Course',
    description: 'Lessons in Markdown and a script to try things in, from blink to plot.',
  },
] as const

export type WorkspaceTemplateId = (typeof WORKSPACE_TEMPLATES)[number]['id']
