import { quote } from '@patchbay/primitives/text'
import { ARCHIVE_FOLDERS } from '../archive-folders.ts'

const SHOWN = 5
/** Texts for people who look into the archive. */
const FOR_READERS = /^(?:licen[cs]e|copying|notice|readme|changelog)[^/]*$/i

export function listWarnings({
  files,
  others,
  iconFault,
}: {
  readonly files: readonly unknown[]
  readonly others: readonly string[]
  readonly iconFault: string | undefined
}): string[] {
  const warnings: string[] = []
  if (files.length === 0) warnings.push(`Nothing in the archive is installed: ${WHERE}.`)
  const passedOver = others.filter((path) => !FOR_READERS.test(path))
  if (passedOver.length > 0) {
    const shown = passedOver
      .slice(0, SHOWN)
      .map((each) => quote(each))
      .join(', ')
    const more = passedOver.length > SHOWN ? ` and ${passedOver.length - SHOWN} more` : ''
    warnings.push(`Not installed: ${shown}${more}; ${WHERE}.`)
  }
  if (iconFault !== undefined) warnings.push(`resources/icon.png ${iconFault}; the package has no icon.`)
  return warnings
}

const WHERE = `only files in ${ARCHIVE_FOLDERS.join(', ')} are`
