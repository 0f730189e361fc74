import { type Bus, createInProcessHub, createRedisBus } from '@patchbay/kernel/bus'
import { SettableClock } from '@patchbay/testkit/clock'
import { startRedis } from '@patchbay/testkit/redis'
import { startTestGateway, type TestGateway } from './start.ts'

export const DIRECTORIES = ['in process', 'on Redis'] as const
export type DirectoryKind = (typeof DIRECTORIES)[number]

export interface Rig extends AsyncDisposable {
  readonly clock: SettableClock
  readonly first: TestGateway
  readonly second: TestGateway
}

/** Two nodes that share a directory, and a clock that only the test moves. */
export async function startRig(kind: DirectoryKind, environment: Record<string, string> = {}): Promise<Rig> {
  await using stack = new AsyncDisposableStack()
  const clock = new SettableClock()
  const connect = await busesOf(kind, clock, stack)
  const start = async (node: string) =>
    stack.use(await startTestGateway({ clock, bus: await connect(node), environment }))
  const [first, second] = [await start('first'), await start('second')]
  const owned = stack.move()
  return { clock, first, second, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

async function busesOf(
  kind: DirectoryKind,
  clock: SettableClock,
  stack: AsyncDisposableStack,
): Promise<(node: string) => Promise<Bus>> {
  if (kind === 'in process') {
    const hub = createInProcessHub({ clock })
    return async (node) => hub.connect(node)
  }
  const { url } = stack.use(await startRedis())
  return (node) => createRedisBus({ url, node, clock })
}
