import { PLATFORMS, RUNTIMES, TOOL_VERSION_PATTERN } from '@patchbay/package-format'
import { InvalidArgumentError, Option } from 'commander'

export function platformOption(what: string): Option {
  return new Option('--platform <platform>', `the platform ${what}`).choices([...PLATFORMS])
}

export function runtimeOption(what: string): Option {
  return new Option('--runtime <runtime>', `the runtime for plugins ${what}`).choices([...RUNTIMES])
}

export function toolVersionOption(what: string): Option {
  return new Option('--tool-version <version>', `the version of the tool ${what}`).argParser((text) => {
    if (new RegExp(TOOL_VERSION_PATTERN).test(text)) return text
    throw new InvalidArgumentError('It must be a version such as 9.0.')
  })
}
