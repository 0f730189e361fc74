import { InstallFailure } from '../install-failure.ts'
import type { PackageOffer } from '../install-source.ts'
import type { Workplace } from '../workplace.ts'

/** A source that fails for one package is a failure of that package, not of the disk, and not of all the others. */
export async function askSource(
  { source }: Workplace,
  identifier: string,
): Promise<PackageOffer | undefined> {
  try {
    const offer = await source.find(identifier)
    if (offer !== undefined) refuseOtherSpelling(identifier, offer)
    return offer
  } catch (cause) {
    if (cause instanceof InstallFailure) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new InstallFailure('source_failed', `nobody could say what is offered of ${identifier}: ${why}`, {
      identifier,
      cause,
    })
  }
}

/** Sources may take upper and lower case for the same. What is installed, pinned and updated goes by one spelling. */
function refuseOtherSpelling(identifier: string, { package: offered }: PackageOffer): void {
  if (offered.identifier === identifier) return
  throw new InstallFailure(
    'identifier_clash',
    `${identifier} is offered as ${offered.identifier}: use that spelling; if it is installed in the other one, remove that first`,
    { identifier },
  )
}
