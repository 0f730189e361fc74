import { Problem } from '@patchbay/contracts/core'
import {
  type Paste,
  SCREENSHOT_PASTE_PATH,
  type ViewerMessage,
  type ViewerStatus,
} from '@patchbay/contracts/viewer'
import { displayText } from '@patchbay/primitives/text'
import type { FailureText } from '../errors/failure.ts'
import { createValueStore, type ValueStore } from '../parts/value-store.ts'
import type { Intake } from './intake/intake.ts'
import { type Line, type Link, openLine } from './line/line.ts'
import { keepPageId } from './line/page-id.ts'
import { Pastes } from './pastes/pastes.ts'
import { createGrants } from './uploads/grants.ts'
import type { Upload } from './uploads/upload.ts'
import { UploadQueue } from './uploads/upload-queue.ts'
import { fetchNonce, fetchStatus, nonceIn, sendPicture, tradeNonce } from './viewer.api.ts'
import { words } from './words.tsx'

const LENGTH = 200

/** What the widget is for, as somebody outside said. */
export function tidyTitle(text: string | null): string | undefined {
  return displayText(text, LENGTH) || undefined
}

export function titleInAddress(search: string): string | undefined {
  return tidyTitle(new URLSearchParams(search).get('title'))
}

export function addressOfWidget(title: string | undefined): string {
  return title === undefined
    ? SCREENSHOT_PASTE_PATH
    : `${SCREENSHOT_PASTE_PATH}?${new URLSearchParams({ title }).toString()}`
}

interface Announcement {
  /** The same words twice are two announcements. */
  readonly count: number
  readonly words: string
}

interface Announcer {
  readonly latest: ValueStore<Announcement>
  say(text: string): void
}

/** Three pictures that are saved at once would otherwise be one: screen readers speak the last change of a place. */
const TOGETHER_MS = 200

function createAnnouncer(): Announcer {
  const latest = createValueStore<Announcement>({ count: 0, words: '' })
  let pending: string[] = []
  return {
    latest,
    say(text) {
      pending.push(text)
      if (pending.length > 1) return
      setTimeout(() => {
        latest.set({ count: latest.get().count + 1, words: pending.join(' ') })
        pending = []
      }, TOGETHER_MS)
    },
  }
}

/** Where ids and chance come from: the start of the page hands it in. */
export interface Randomness {
  readonly newId: () => string
  /** From 0 up to 1. */
  readonly random: () => number
}

export type IntakeNotice = FailureText & { readonly tone: 'info' | 'warning' }

const FILE_NAME_LENGTH = 200

/** Everything that a page of the viewer holds, from its load to its end. */
export class ViewerSession {
  readonly isWidget = createValueStore(location.pathname === SCREENSHOT_PASTE_PATH)
  readonly link: ValueStore<Link> = createValueStore<Link>('opening')
  readonly isActive = createValueStore(false)
  readonly title = createValueStore(titleInAddress(location.search))
  readonly status = createValueStore<ViewerStatus | undefined>(undefined)
  readonly notice = createValueStore<IntakeNotice | undefined>(undefined)
  readonly announcer: Announcer = createAnnouncer()
  readonly pastes = new Pastes()
  readonly queue: UploadQueue
  readonly #line: Line
  readonly #grants = createGrants({ servedNonce: nonceIn(document), fetchNonce, trade: tradeNonce })
  /** Saved by the viewer, while an answer to this page is due: they may be the same. */
  #early: Paste[] = []
  /** What somebody asked this page to show, and nobody was told yet that it does. */
  #asked: string | undefined
  #isShown = false

  constructor({ newId, random }: Randomness) {
    this.queue = new UploadQueue({
      newId,
      send: async (picture, options) => {
        const title = this.title.get()
        const fileName = picture.fileName?.slice(0, FILE_NAME_LENGTH)
        const send = async (grant: Promise<string>) =>
          await sendPicture({ file: picture.file, fileName, title }, await grant, options)
        const grant = this.#grants.get()
        return await send(grant).catch(async (error: unknown) => {
          if (!(error instanceof Problem) || error.code !== 'upload_not_granted') throw error
          this.#grants.forget(grant)
          return await send(this.#grants.get())
        })
      },
      onSaved: (paste) => {
        this.pastes.put(paste)
        this.announcer.say(words.spoken.saved(paste.optimized.path))
      },
      onRefused: (upload) => this.announcer.say(refusalInWords(upload)),
      onEnded: () => this.#takeEarly(),
    })
    // A refusal comes up again with the first picture, which can tell it.
    this.#grants.get().catch(() => undefined)
    this.#line = openLine({
      pageId: keepPageId(newId),
      showing: () => (this.isWidget.get() ? 'screenshot-paste' : null),
      random,
      onLink: (link) => this.#turn(link),
      onMessage: (message) => this.#hear(message),
    })
    addEventListener('online', () => this.queue.retryHeld())
    addEventListener('popstate', () => {
      this.isWidget.set(location.pathname === SCREENSHOT_PASTE_PATH)
      this.title.set(titleInAddress(location.search))
    })
    addEventListener('beforeunload', (event) => {
      if (this.queue.isUnderWay) event.preventDefault()
    })
  }

  /** What was pasted, dropped or chosen. */
  readonly take = (intake: Intake): void => {
    if ('notice' in intake) return this.notice.set(intake.notice)
    const tooMany = this.queue.add(intake.pictures)
    this.notice.set(tooMany === 0 ? undefined : { tone: 'warning', ...words.intake.tooMany(tooMany) })
  }

  /** The widget is there to be seen, until what this answers is called. */
  confirmShown(): () => void {
    this.#isShown = true
    this.#answer()
    return () => {
      this.#isShown = false
    }
  }

  #turn(link: Link): void {
    this.link.set(link)
    if (link !== 'open') {
      this.#grants.doubt()
      return this.isActive.set(false)
    }
    this.#answer()
    void this.pastes.read()
    void fetchStatus(AbortSignal.timeout(10_000)).then(
      (status) => this.status.set(status),
      () => undefined,
    )
    this.queue.retryHeld()
  }

  #hear(message: ViewerMessage): void {
    switch (message.type) {
      case 'show':
        return this.#show(message.id, tidyTitle(message.title))
      case 'active':
        return this.isActive.set(message.isActive)
      case 'paste':
        return this.#note(message.paste)
      case 'deleted':
        return this.pastes.forget(message.id)
    }
  }

  #show(id: string, title: string | undefined): void {
    this.#asked = id
    const address = addressOfWidget(title)
    // In place: to load another page would end the uploads of this one.
    if (this.isWidget.get()) history.replaceState(null, '', address)
    else history.pushState(null, '', address)
    this.title.set(title)
    this.isWidget.set(true)
    this.announcer.say(words.spoken.askedFor(title))
    this.#answer()
  }

  #answer(): void {
    if (this.#asked === undefined || !this.#isShown || this.link.get() !== 'open') return
    this.#line.send({ type: 'shown', id: this.#asked })
    this.#asked = undefined
  }

  #note(paste: Paste): void {
    const known = this.pastes.find(paste.id)
    // Our own picture would jump through the list of earlier ones.
    if (known === undefined && this.queue.isAnswerDue) return void this.#early.push(paste)
    if (known?.state === 'naming' && paste.state !== 'naming') this.announcer.say(nameInWords(paste))
    this.pastes.put(paste)
  }

  #takeEarly(): void {
    const early = this.#early
    this.#early = []
    for (const paste of early) this.#note(paste)
  }
}

function refusalInWords({ label, state }: Upload): string {
  if (state.step !== 'refused' && state.step !== 'held') return ''
  return words.spoken.refused(label, state.why.title, state.why.detail)
}

function nameInWords({ name, state, naming_note }: Paste): string {
  return state === 'named' ? words.spoken.named(name) : words.naming.noName(naming_note ?? '')
}
