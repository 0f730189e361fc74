import { EDITING_CHANNEL, type EditedDocument, type EditingNews } from '@patchbay/contracts/content'
import type { SchematicChange } from '@patchbay/kicad-format'
import { write } from '@patchbay/kicad-format'
import {
  SheetSession,
  type SheetStatus,
} from '../../../src/workspace/panels/schematic-editor/editing/sheet-session.ts'

export interface Surroundings {
  readonly clientId: string
  readonly path: string
  readonly load: (path: string) => Promise<EditedDocument>
  readonly say: (channel: string, message: unknown) => void
}

/** What edits a sheet in a page, without the page: over a connection of whoever tests it. */
export class LoneEditor {
  readonly #session: SheetSession
  dropped = 0

  constructor({ say, ...options }: Surroundings) {
    this.#session = new SheetSession({
      ...options,
      send: (request) => say(EDITING_CHANNEL, request),
      onChange: () => {},
      onDropped: (count) => {
        this.dropped += count
      },
      onMoved: () => {},
      onClosed: () => {},
    })
  }

  hear(channel: string, message: unknown): void {
    if (channel === EDITING_CHANNEL) this.#session.receive(message as EditingNews)
  }

  get status(): SheetStatus {
    return this.#session.status
  }

  get document() {
    return this.#session.document
  }

  get text(): string | undefined {
    return this.document === undefined ? undefined : write(this.document)
  }

  get isSent(): boolean {
    return this.#session.isSent
  }

  /** Whether it was made. */
  change(changes: readonly SchematicChange[]): boolean {
    return this.#session.change(changes) === undefined
  }

  undo(): boolean {
    return this.#session.undo()
  }

  redo(): boolean {
    return this.#session.redo()
  }

  close(): void {
    this.#session.close()
  }
}
