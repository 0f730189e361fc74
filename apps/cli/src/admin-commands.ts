import type { Surroundings } from '@patchbay/kernel/lifecycle'
import type { Command } from 'commander'

const loadServer = () => import('@patchbay/server')

/** `patchbay admin`: for the operator, who has the database; no server needs to run. */
export function addAdmin(
  program: Command,
  surroundings: Surroundings,
  withAllVariables: (surroundings: Surroundings) => Promise<Surroundings>,
): void {
  const admin = program
    .command('admin')
    .description('Manage accounts directly in the database (DATABASE_URL).')

  admin
    .command('link')
    .description('Print a link with which one person makes an account as an administrator, within an hour.')
    .action(async () => {
      const { printAdminLink } = await loadServer()
      await printAdminLink(await withAllVariables(surroundings))
    })

  for (const [name, isDisabled, meaning] of [
    ['disable', true, 'Disable an account; its sessions and keys end at once.'],
    ['enable', false, 'Enable an account that was disabled.'],
  ] as const) {
    admin
      .command(name)
      .description(meaning)
      .argument('<handle>', 'whose account')
      .action(async (handle: string) => {
        const { switchAccount } = await loadServer()
        await switchAccount(await withAllVariables(surroundings), handle, isDisabled)
      })
  }
}
