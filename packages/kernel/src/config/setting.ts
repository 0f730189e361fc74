import { Secret } from '../log/index.ts'

/** What a variable may hold and how its text becomes a value. */
export interface Setting<Value> {
  readonly variable: string
  readonly meaning: string
  /** For people: "port (1 to 65535)". */
  readonly accepts: string
  readonly secret: boolean
  readonly required: boolean
  readonly fallback: Value | undefined
  /** Throws `Error` with what is wrong; must not repeat a secret's text. */
  readonly parse: (text: string) => Value
}

export interface Described {
  readonly variable: string
  readonly meaning: string
}

export type Kind<Value> = Pick<Setting<Value>, 'accepts' | 'parse'> & { readonly secret?: boolean }

/** A setting that must be given. */
export function required<Value>(described: Described, kind: Kind<Value>): Setting<Value> {
  return { secret: false, ...described, ...kind, required: true, fallback: undefined }
}

/** A setting that has a value when nobody gives one. */
export function withDefault<Value>(described: Described, kind: Kind<Value>, fallback: Value): Setting<Value> {
  return { secret: false, ...described, ...kind, required: false, fallback }
}

/** A setting that may be absent. */
export function optional<Value>(described: Described, kind: Kind<Value>): Setting<Value | undefined> {
  return { secret: false, ...described, ...kind, required: false, fallback: undefined }
}

export function integer({ min, max }: { min: number; max: number }): Kind<number> {
  return {
    accepts: `whole number (${min} to ${max})`,
    parse: (text) => {
      const value = Number(text)
      if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value))
        throw new Error(`"${text}" is not a whole number`)
      if (value < min || value > max) throw new Error(`${text} is not between ${min} and ${max}`)
      return value
    },
  }
}

/** Of all: 0 is none, 1 every one. */
export const share: Kind<number> = {
  accepts: 'number (0 to 1)',
  parse: (text) => {
    const value = Number(text)
    if (!/^\d*\.?\d+$/.test(text) || value > 1) throw new Error(`"${text}" is not a number between 0 and 1`)
    return value
  },
}

export const port: Kind<number> = {
  ...integer({ min: 0, max: 65_535 }),
  accepts: 'port (0 lets the system choose)',
}

export const boolean: Kind<boolean> = {
  accepts: '`true` or `false`',
  parse: (text) => {
    if (text !== 'true' && text !== 'false') throw new Error(`"${text}" is neither true nor false`)
    return text === 'true'
  },
}

export const text: Kind<string> = { accepts: 'text', parse: (value) => value }

export function choice<const Options extends readonly string[]>(options: Options): Kind<Options[number]> {
  return {
    accepts: options.map((option) => `\`${option}\``).join(', '),
    parse: (value) => {
      if (!options.includes(value)) throw new Error(`"${value}" is none of ${options.join(', ')}`)
      return value
    },
  }
}

export function list<Item>(item: Kind<Item>): Kind<readonly Item[]> {
  return {
    accepts: `${item.accepts}; several separated by commas`,
    parse: (value) => {
      const parts = value.split(',').map((part) => part.trim())
      return Object.freeze(parts.filter((part) => part !== '').map((part) => item.parse(part)))
    },
  }
}

/** An address without credentials. Trailing slashes go, so that paths can be appended. */
export function url(schemes: readonly string[]): Kind<string> {
  return {
    accepts: `URL (${schemes.map((scheme) => `\`${scheme}://\``).join(', ')})`,
    parse: (value) => {
      checkScheme(value, schemes)
      const { username, password } = new URL(value)
      if (username !== '' || password !== '')
        throw new Error('the URL must not carry a user name or password')
      return value.replace(/\/+$/, '')
    },
  }
}

/** An address that may carry a password, so none of it is ever shown. */
export function secretUrl(schemes: readonly string[]): Kind<Secret> {
  return {
    accepts: `URL (${schemes.map((scheme) => `\`${scheme}://\``).join(', ')}), kept secret`,
    secret: true,
    parse: (value) => {
      checkScheme(value, schemes)
      return new Secret(value)
    },
  }
}

export const secretText: Kind<Secret> = {
  accepts: 'text, kept secret',
  secret: true,
  parse: (value) => new Secret(value),
}

function checkScheme(value: string, schemes: readonly string[]): void {
  // Several hosts in one URL (Redis Sentinel and Cluster) are valid here though `URL` cannot parse them.
  if (!schemes.some((scheme) => value.startsWith(`${scheme}://`) && value.length > scheme.length + 3)) {
    throw new Error(`not a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`)
  }
}
