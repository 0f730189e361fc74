/**
 * What the frame needs after code has run in it, as it was before. Code may replace any of these on the page's objects,
 * and then the frame could no longer tell the truth, or would hand its port to a stranger's function.
 */
export const { apply, get, getOwnPropertyDescriptor, ownKeys, setPrototypeOf } = Reflect
const { defineProperty, getPrototypeOf } = Reflect
export const { prototype: objectPrototype } = Object
export const { isArray } = Array
export const isView = ArrayBuffer.isView.bind(ArrayBuffer)
export const { stringify } = JSON
export const { eval: runScript, Function: FunctionOf, Promise: PromiseOf } = globalThis
export const AsyncFunctionOf = getPrototypeOf(async () => undefined)?.constructor as typeof Function
export const now = performance.now.bind(performance)
export const later = setTimeout.bind(globalThis) as (work: string | (() => void), ms: number) => number

type Method = (this: never, ...args: never[]) => unknown

/** A method as a function of its object. */
function free(prototype: object, name: string): (self: never, ...args: never[]) => unknown {
  const method = get(prototype, name) as Method
  return (self, ...args) => apply(method, self, args)
}

/** A getter as a function of its object. It throws for objects of another kind. */
function getter(prototype: object, name: string): (self: unknown) => unknown {
  const read = getOwnPropertyDescriptor(prototype, name)?.get as Method | undefined
  if (read === undefined) throw new Error(`no getter for ${name}`)
  return (self) => apply(read, self as never, [])
}

type Text = (self: unknown) => string
type Follow = (
  self: Promise<unknown>,
  done: (value: unknown) => void,
  failed: (reason: unknown) => void,
) => unknown
type Post = (self: MessagePort, message: unknown, transfer: Transferable[]) => void

export const slice = free(String.prototype, 'slice') as (self: string, from: number, to?: number) => string
export const trimStart = free(String.prototype, 'trimStart') as (self: string) => string
export const trimEnd = free(String.prototype, 'trimEnd') as (self: string) => string
export const matches = free(RegExp.prototype, 'exec') as (self: RegExp, text: string) => unknown
export const tagOf = free(Object.prototype, 'toString') as Text
export const isoDate = free(Date.prototype, 'toISOString') as Text
export const bigintText = free(BigInt.prototype, 'toString') as Text
export const symbolText = free(Symbol.prototype, 'toString') as Text
export const regExpSource = getter(RegExp.prototype, 'source')
export const regExpFlags = getter(RegExp.prototype, 'flags')
export const mapSize = getter(Map.prototype, 'size')
export const setSize = getter(Set.prototype, 'size')
export const eachInMap = free(Map.prototype, 'forEach') as (
  self: unknown,
  each: (value: unknown, key: unknown) => void,
) => void
export const eachInSet = free(Set.prototype, 'forEach') as (
  self: unknown,
  each: (value: unknown) => void,
) => void
export const typedLength = getter(getPrototypeOf(Uint8Array.prototype) as object, 'length')
export const nodeType = getter(Node.prototype, 'nodeType')
export const nodeName = getter(Node.prototype, 'nodeName')
export const outerHtml = getter(Element.prototype, 'outerHTML')
export const messageData = getter(MessageEvent.prototype, 'data')
export const follow = free(Promise.prototype, 'then') as Follow
export const listen = free(EventTarget.prototype, 'addEventListener') as (
  self: EventTarget,
  type: string,
  listener: EventListener,
) => void
export const post = free(MessagePort.prototype, 'postMessage') as Post

/** Sets a property whatever accessors code has put on the prototypes. */
export function put(target: object, key: PropertyKey, value: unknown): void {
  const property = { __proto__: null, value, configurable: true, enumerable: true, writable: true }
  defineProperty(target, key, property as PropertyDescriptor)
}

/** Whether a getter takes this object for one of its kind. */
export function isOf(read: (self: unknown) => unknown, value: unknown): boolean {
  try {
    read(value)
    return true
  } catch {
    return false
  }
}
