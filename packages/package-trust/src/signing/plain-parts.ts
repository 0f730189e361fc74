import { Snapshot, Targets } from '@tufjs/models'
import type { Head, JsonObject } from './document.ts'

/*
 * The classes of the library copy all entries for each entry when they are written: 4,096 bins take four seconds.
 * These are written as they were given.
 */

export class PlainSnapshot extends Snapshot {
  readonly #json: JsonObject

  constructor(head: Head, meta: JsonObject) {
    super(optionsOf(head))
    this.#json = { ...head, meta }
  }

  override toJSON(): JsonObject {
    return this.#json
  }
}

export class PlainTargets extends Targets {
  readonly #json: JsonObject

  constructor(head: Head, content: JsonObject) {
    super(optionsOf(head))
    this.#json = { ...head, ...content }
  }

  override toJSON(): JsonObject {
    return this.#json
  }
}

function optionsOf({ spec_version: specVersion, version, expires }: Head) {
  return { specVersion, version, expires }
}
