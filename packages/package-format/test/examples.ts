/** A valid package in the neutral dialect, with the given fields in place of its own. */
export function examplePackage(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    name: 'Blinky',
    description: 'Makes an LED blink',
    description_full: 'Makes an LED blink, at a pace that you choose.',
    identifier: 'com.example.blinky',
    type: 'plugin',
    author: { name: 'Ada', contact: { web: 'https://example.com/ada' } },
    license: 'MIT',
    resources: { homepage: 'https://example.com/blinky' },
    versions: [exampleVersion()],
    ...changes,
  }
}

export function exampleVersion(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { version: '1.0.0', status: 'stable', tool_version: '8.0', ...changes }
}

export function exampleRepository(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    name: 'Examples',
    packages: { url: 'https://example.com/packages.json', update_timestamp: 1_760_000_000 },
    ...changes,
  }
}

/** The object without one of its keys. */
export function without(value: Readonly<Record<string, unknown>>, key: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
}
