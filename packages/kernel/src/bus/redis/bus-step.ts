import type { Step } from '../../tracing/index.ts'

/** Topics and directories are named by the code; what a message says is nobody's business here. */
export const busStep = (verb: 'send' | 'handle', topic: string): Step => ({
  name: `${verb} ${topic}`,
  kind: verb === 'send' ? 'producer' : 'consumer',
  attributes: { 'messaging.system': 'redis', 'messaging.destination.name': topic },
})
