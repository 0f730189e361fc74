import { Argument, type Command } from 'commander'
import type { CliSurroundings } from '../terminal/surroundings.ts'
import { completionOf } from './candidates.ts'
import { SCRIPTS } from './scripts.ts'

/** `patchbay completion`, and what the scripts it prints ask. */
export function addCompletion(program: Command, surroundings: CliSurroundings): void {
  const { print } = surroundings
  program
    .command('completion')
    .summary('Print a completion script for your shell.')
    .description('Print a script that completes commands in your shell.')
    .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      `
To use it in every new shell:
  bash   patchbay completion bash > ~/.local/share/bash-completion/completions/patchbay
  zsh    patchbay completion zsh > ~/.zfunc/_patchbay      (with ~/.zfunc in fpath)
  fish   patchbay completion fish > ~/.config/fish/completions/patchbay.fish`,
    )
    .action((shell: keyof typeof SCRIPTS) => print(SCRIPTS[shell].trimEnd()))

  program
    .command('completion-words', { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => {
      const { candidates, wantsFiles, asks } = completionOf(program, words)
      const known =
        asks === undefined
          ? []
          : await (await import('./known-words.ts')).knownWords(surroundings, asks, words)
      const lines = [
        ...candidates.map(({ value, meaning }) => `${value}\t${meaning}`),
        ...known.map((value) => `${value}\t`),
        ...(wantsFiles ? [':files'] : []),
      ]
      if (lines.length > 0) print(lines.join('\n'))
    })
}
