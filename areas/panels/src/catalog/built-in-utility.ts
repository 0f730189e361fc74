import type { BuiltIn } from './built-in.ts'

export const UTILITY: readonly BuiltIn[] = [
  {
    uuid: '990b1a16-cf15-4c9f-af67-2f3a90b8b275',
    kind: 'system-log',
    name: 'System log',
    description: 'Lists what happens in the workspace, as it happens.',
    icon: 'scroll-text',
    availability: 'ready',
  },
  {
    uuid: 'bfd74c58-3b08-48e0-9d23-4eebcb5b4e66',
    kind: 'robot-log',
    name: 'Robot log',
    description: 'Lists what a robot reports.',
    icon: 'bot',
  },
  {
    uuid: '90120f29-8f0f-42f7-8797-eac0f18a3033',
    kind: 'battery-charger',
    name: 'Battery charger',
    description: 'Shows the state of a charger and its cells.',
    icon: 'battery-charging',
  },
  {
    uuid: 'e904fcf0-213c-461a-8f3f-e34025547950',
    kind: 'curriculum',
    name: 'Curriculum',
    description: 'Leads through a course step by step.',
    icon: 'graduation-cap',
  },
  {
    uuid: 'f5347e3e-7ffc-48d3-b0fb-caa5bcc0b537',
    kind: 'webview',
    name: 'Web view',
    description: 'Shows a page of the web.',
    icon: 'globe',
    availability: 'ready',
  },
  {
    uuid: '79b32c50-839a-48b1-9cdc-7abb3d75690e',
    kind: 'sandbox',
    name: 'Sandbox',
    description: 'Runs JavaScript in an isolated frame.',
    icon: 'square-terminal',
    availability: 'ready',
  },
]
