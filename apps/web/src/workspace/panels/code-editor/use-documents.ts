import type { Extension } from '@codemirror/state'
import { EDITING_CHANNEL, type EditingNews } from '@patchbay/contracts/content'
import { useEffect, useRef, useState } from 'react'
import type { PanelHost } from '../../panel-definition.ts'
import { fetchDocument } from './document.api.ts'
import { DocumentSession } from './document-session.ts'

let opened = 0

/** The sessions that have a document open, by its id. */
const hearing = new Map<number, Set<DocumentSession>>()

/** Answers whether another session of this page still has it open: the server knows pages, not sessions. */
function stopHearingOf(document: number, session: DocumentSession): boolean {
  const sessions = hearing.get(document)
  sessions?.delete(session)
  if (sessions?.size === 0) hearing.delete(document)
  return hearing.has(document)
}

/** A session that hears what the server tells of its document until it is closed, and a little longer. */
function openSession(
  host: PanelHost,
  path: string,
  extensionsFor: (session: () => DocumentSession) => Extension,
): DocumentSession {
  opened += 1
  const session: DocumentSession = new DocumentSession({
    clientId: `${host.pageId}:${opened}`,
    path,
    load: (now) => fetchDocument(host.workspace, now),
    send(request) {
      const { type, document } = request
      if (type === 'open') hearing.set(document, (hearing.get(document) ?? new Set()).add(session))
      if (type === 'close' && stopHearingOf(document, session)) return
      host.say(EDITING_CHANNEL, request)
    },
    extensions: extensionsFor(() => session),
    onClosed() {
      for (const document of hearing.keys()) stopHearingOf(document, session)
      stopHearing()
      stopFollowing()
      removeEventListener('beforeunload', ask)
    },
  })
  const stopHearing = host.hear(EDITING_CHANNEL, (news) => session.receive(news as EditingNews))
  const stopFollowing = host.follow((news) => {
    if (news === 'back') session.reconnected()
  })
  const ask = (event: BeforeUnloadEvent) => {
    if (!session.isSent) event.preventDefault()
  }
  addEventListener('beforeunload', ask)
  return session
}

/** The session of each file. Those of files that are no longer there close once the server has everything. */
export function useDocuments(
  host: PanelHost,
  files: readonly string[],
  extensionsFor: (session: () => DocumentSession) => Extension,
): (path: string) => DocumentSession | undefined {
  const [sessions, setSessions] = useState<ReadonlyMap<string, DocumentSession>>(new Map())
  const held = useRef(new Map<string, DocumentSession>())
  const make = useRef(extensionsFor)
  const names = files.join('\n')
  useEffect(() => {
    const wanted = new Set(names === '' ? [] : names.split('\n'))
    for (const [path, session] of held.current) {
      if (wanted.has(path)) continue
      held.current.delete(path)
      const now = session.path.get()
      // Moved: what was typed goes along.
      if (wanted.has(now) && !held.current.has(now)) held.current.set(now, session)
      else session.close()
    }
    for (const path of wanted)
      if (!held.current.has(path)) held.current.set(path, openSession(host, path, make.current))
    setSessions(new Map(held.current))
  }, [host, names])
  useEffect(
    () => () => {
      for (const session of held.current.values()) session.close()
      held.current.clear()
    },
    [],
  )
  // A file that was moved has its own under its new path at once: without it, its editor would be another one.
  return (path) => sessions.get(path) ?? [...sessions.values()].find((session) => session.path.get() === path)
}
