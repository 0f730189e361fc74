import { startProcess, withCompiledCode } from '@patchbay/testkit/processes'
import { CLI } from './user.ts'

/** The command on a terminal, which `script` pretends to be. */
export function startOnTerminal(environment: Record<string, string>, ...args: string[]) {
  // In the place of the shell, which would answer Ctrl-C with a code of its own.
  const command = `exec ${[process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ')}`
  const env = withCompiledCode({ PATH: process.env['PATH'], ...environment })
  const running = startProcess('script', ['-qefc', command, '/dev/null'], { env, stdio: 'pipe' })
  return { ...running, pressCtrlC: () => void running.child.stdin?.write('\u0003') }
}
