import { randomUUID } from 'node:crypto'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { connectPage, openPage, startPages, type TestPage } from './viewer-page.ts'

const forEver = new AbortController().signal
const FOCUSED = { type: 'attention', isVisible: true, isFocused: true }
const NOT_A_PAGE = { code: 4500, reason: 'not_a_viewer_page' }

async function becomesActive(page: TestPage): Promise<void> {
  await waitUntil('the page is the active one', () => page.isActive() === true)
}

// Each has a viewer of its own, and some wait for pages that say nothing.
test.concurrent('[E-150] every open page is told, and a connection that has not said what it is, is not', async () => {
  await using viewer = await startPages()
  await using one = await openPage(viewer.url)
  await using two = await openPage(viewer.url)
  await using nameless = await connectPage(viewer.url)
  const event = { type: 'deleted', id: randomUUID() } as const
  viewer.pages.broadcast(event)
  for (const page of [one, two])
    await waitUntil('told', () => page.received.some(({ type }) => type === 'deleted'))
  expect(one.received).toContainEqual(event)
  nameless.send({ type: 'open', pageId: randomUUID(), showing: null, isVisible: true, isFocused: false })
  await waitUntil('known', () => nameless.received.length > 0)
  expect(nameless.received).not.toContainEqual(event)
})

test.concurrent('[E-151] a page is told when it becomes the active one, and when another does', async () => {
  await using viewer = await startPages()
  await using one = await openPage(viewer.url, { isFocused: true })
  await becomesActive(one)
  await using two = await openPage(viewer.url)
  expect(two.isActive()).toBe(false)
  two.send(FOCUSED)
  await becomesActive(two)
  await waitUntil('the other one is told', () => one.isActive() === false)
  await two.leave()
  await becomesActive(one)
})

test.concurrent('[E-153] show answers once the active page says that the widget is there', async () => {
  await using viewer = await startPages()
  await using other = await openPage(viewer.url, { isFocused: true })
  await using page = await openPage(viewer.url, { isFocused: true })
  await becomesActive(page)
  let isDone = false
  const shown = viewer.pages.show('screenshot-paste', 'The error', forEver).then(() => (isDone = true))
  const order = await page.shows()
  expect(order).toMatchObject({ widget: 'screenshot-paste', title: 'The error' })
  other.send({ type: 'shown', id: order.id })
  page.send({ type: 'shown', id: 'another' })
  page.send(FOCUSED)
  await using third = await openPage(viewer.url)
  expect([isDone, third.isActive()]).toEqual([false, false])
  page.send({ type: 'shown', id: order.id })
  await shown
  expect(other.received.some(({ type }) => type === 'show')).toBe(false)
})

test.concurrent('[E-153][E-152] a page that had to load the widget answers from the page that it loaded', async () => {
  await using viewer = await startPages()
  await using page = await openPage(viewer.url, { isFocused: true })
  const shown = viewer.pages.show('screenshot-paste', undefined, forEver)
  const { id, title } = await page.shows()
  expect(title).toBeNull()
  await page.leave()
  await using loaded = await openPage(viewer.url, { pageId: page.pageId, showing: 'screenshot-paste' })
  loaded.send({ type: 'shown', id })
  await shown
  await becomesActive(loaded)
})

test.concurrent('[E-153] what a page was asked before is answered with what it was asked last', async () => {
  await using viewer = await startPages()
  await using page = await openPage(viewer.url, { isFocused: true })
  const first = viewer.pages.show('screenshot-paste', 'first', forEver)
  await page.shows()
  const second = viewer.pages.show('screenshot-paste', 'second', forEver)
  const order = await page.shows(1)
  expect(order.title).toBe('second')
  page.send({ type: 'shown', id: order.id })
  await Promise.all([first, second])
})

deepTest.concurrent(
  '[E-154] a page that stays silent is told of, and the next order goes to another one',
  async () => {
    await using viewer = await startPages({ shownWithinMs: 1_500 })
    await using other = await openPage(viewer.url)
    await using silent = await openPage(viewer.url, { isFocused: true })
    await becomesActive(silent)
    await expect(viewer.pages.show('screenshot-paste', undefined, forEver)).rejects.toMatchObject({
      code: 'viewer_silent',
    })
    await becomesActive(other)
    const again = viewer.pages.show('screenshot-paste', undefined, forEver)
    other.send({ type: 'shown', id: (await other.shows()).id })
    await again
    silent.send(FOCUSED)
    await becomesActive(silent)
  },
)

test.concurrent('[E-155] without a page nothing can be shown; one that has just gone is waited for', async () => {
  await using viewer = await startPages()
  await expect(viewer.pages.show('screenshot-paste', undefined, forEver)).rejects.toMatchObject({
    code: 'viewer_not_open',
  })
  const page = await openPage(viewer.url, { isFocused: true })
  await page.leave()
  await waitUntil('the viewer has seen it go', () => viewer.pages.size === 0)
  const shown = viewer.pages.show('screenshot-paste', undefined, forEver)
  await using back = await openPage(viewer.url, { pageId: page.pageId })
  back.send({ type: 'shown', id: (await back.shows()).id })
  await shown
})

test.concurrent('[E-156] 64 callers wait for a page, one more does not; who has gone gives the place back', async () => {
  await using viewer = await startPages({ shownWithinMs: 60_000 })
  await using page = await openPage(viewer.url)
  const leaving = new AbortController()
  const shows = Array.from({ length: 64 }, (_, at) =>
    viewer.pages.show('screenshot-paste', undefined, at === 0 ? leaving.signal : forEver),
  )
  const settled = Promise.allSettled(shows)
  await expect(viewer.pages.show('screenshot-paste', undefined, forEver)).rejects.toMatchObject({
    code: 'too_many_waiting',
  })
  leaving.abort()
  await expect(shows[0]).rejects.toMatchObject({ code: 'shutting_down' })
  const last = viewer.pages.show('screenshot-paste', undefined, forEver)
  page.send({ type: 'shown', id: (await page.shows(64)).id })
  await last
  expect((await settled).slice(1).every(({ status }) => status === 'fulfilled')).toBe(true)
})

deepTest.concurrent(
  '[E-157] what no page says ends the connection, and so does saying who one is twice or never',
  async () => {
    await using viewer = await startPages({ openWithinMs: 1_500 })
    await using silent = await connectPage(viewer.url)
    expect(await silent.closed).toEqual(NOT_A_PAGE)
    await using strange = await openPage(viewer.url)
    strange.send({ type: 'eval', code: 'alert(1)' })
    expect(await strange.closed).toEqual(NOT_A_PAGE)
    await using twice = await openPage(viewer.url)
    twice.send({ type: 'open', pageId: twice.pageId, showing: null, isVisible: true, isFocused: true })
    expect(await twice.closed).toEqual(NOT_A_PAGE)
    await using early = await connectPage(viewer.url)
    early.send(FOCUSED)
    expect(await early.closed).toEqual(NOT_A_PAGE)
    expect(viewer.pages.size).toBe(0)
  },
)
