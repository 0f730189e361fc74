import type { Command } from 'commander'
import { serverNameFor } from '../account/default-server.ts'
import { EXIT } from '../account/ending.ts'
import { type JsonWord, outcomeOf, serverOption } from '../command/options.ts'
import { Refusal } from '../command/refusal.ts'
import { canRunProcesses, findProcess, withAllVariables } from '../processes.ts'
import type { Paint } from '../terminal/paint.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'
import type { Finding } from './examine.ts'

interface DoctorWords extends JsonWord {
  readonly server?: string
}

const COLORS = { ok: 'green', warning: 'yellow', fault: 'red' } as const

/** `patchbay doctor`: what is wrong with an installation, and what to do about it. */
export function addDoctor(program: Command, surroundings: CliSurroundings): void {
  const { environment } = surroundings
  const run = outcomeOf(surroundings)
  program
    .command('doctor')
    .summary('Look for what is wrong with an installation.')
    .description(
      "Look at an installation, one line for each part, with what to do where something is wrong: from outside, by its address alone, and in the server's environment (DATABASE_URL) from inside as well. Nothing is changed. Ends with 1 when there is a fault.",
    )
    .addOption(serverOption())
    .option('--json', 'print JSON')
    .action(async (words: DoctorWords) =>
      run(words, async ({ paint }) => {
        const address = await serverNameFor(environment, words.server)
        if (!URL.canParse(address) || !/^https?:/.test(address))
          throw new Refusal(EXIT.usage, 'bad_option', `"${address}" is no address of a server.`)
        const { examine, examineOutside } = await import('./examine.ts')
        const parts = [
          {
            title: `From outside, ${address}`,
            findings: await examineOutside(address, surroundings.now),
          },
        ]
        const isInside = Boolean(environment['DATABASE_URL'] || environment['DATABASE_URL_FILE'])
        const server = isInside && canRunProcesses() ? await findProcess('server', surroundings) : undefined
        if (server !== undefined)
          parts.push({
            title: 'From inside, in this environment',
            findings: await examine(server.serverChecks(await withAllVariables(surroundings))),
          })
        const all = parts.flatMap(({ findings }) => findings)
        return {
          text: parts.map(({ title, findings }) => describe(title, findings, paint)).join('\n\n'),
          json: { server: address, findings: all },
          exitCode: all.some(({ state }) => state === 'fault') ? EXIT.failed : 0,
        }
      }),
    )
}

function describe(title: string, findings: readonly Finding[], paint: Paint): string {
  const width = Math.max(...findings.map(({ name }) => name.length))
  const lines = findings.map((finding) => {
    const { name, state, says } = finding
    const line = `  ${paint(COLORS[state], state.padEnd(7))}  ${name.padEnd(width)}  ${says}`
    return finding.state === 'ok' ? line : `${line}\n  ${' '.repeat(9 + width)}  ${finding.fix}`
  })
  return `${paint('bold', title)}\n${lines.join('\n')}`
}
