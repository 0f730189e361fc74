import { Console } from 'node:console'
import type { Surroundings } from '@patchbay/kernel/lifecycle'
import type { Command } from 'commander'
import { loadProcess, withAllVariables } from './processes.ts'

interface McpWords {
  readonly project?: string
  readonly url?: string
}

const AFTER_HELP = `
It is started by an agent, not by hand: docs/guides/pair-with-an-agent.md has the configuration for each.
The viewer of the project is used if it runs, and started if not. It ends with the agent.`

/** `patchbay mcp`: the tools of the viewer, for an agent that speaks the Model Context Protocol. */
export function addMcp(program: Command, surroundings: Surroundings): void {
  program
    .command('mcp')
    .summary('Tools for agents (MCP) over stdio.')
    .description('Tools for agents over stdio (Model Context Protocol): pasted screenshots and panels.')
    .option('--project <folder>', 'the project; PATCHBAY_VIEWER_PROJECT or this folder if not given')
    .option('--url <url>', 'a viewer that runs already, such as http://localhost:8797')
    .addHelpText('after', AFTER_HELP)
    .action(async ({ project, url }: McpWords) => {
      // Standard output belongs to the protocol: a line that some library prints would end the conversation.
      globalThis.console = new Console(process.stderr)
      const { runMcp } = await loadProcess('viewer', surroundings)
      const all = await withAllVariables(surroundings)
      await runMcp(all, { project, url, input: process.stdin, output: process.stdout })
    })
}
