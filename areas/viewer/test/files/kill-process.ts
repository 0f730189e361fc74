import { Project } from './project.ts'
import { SCENARIOS } from './scenarios.ts'

/** An operation that this process is killed in the middle of. */
export interface Victim {
  readonly path: string
  readonly name: string
  readonly id: string
}

const [at = '', ...victims] = process.argv.slice(2)
/** What is never done, and not cleared away either: a file that stands open does until the end. */
const held: unknown[] = []

// One process for many operations: loading the program takes longer than all of them. Each waits before the same step, or
// is over, when the process kills itself.
for (const victim of victims) await stopBefore(Number(at), JSON.parse(victim) as Victim)
process.kill(process.pid, 'SIGKILL')

async function stopBefore(step: number, { path, name, id }: Victim): Promise<void> {
  const project = new Project(path)
  const { promise: isThere, resolve: stop } = Promise.withResolvers<void>()
  let [steps, isArmed] = [0, false]
  const folder = await project.open({
    around(_, call) {
      if (!isArmed || steps++ < step) return call()
      stop()
      return new Promise((resolve) => held.push(resolve))
    },
  })
  isArmed = true
  await Promise.race([isThere, SCENARIOS[name]?.operate(project, folder, id)])
}
