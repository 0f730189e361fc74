/**
 * Runs first in every page, in the page's own world: what it tells is a claim of the page. It may not contain the end tag of
 * a script, and needs nothing of ours but the three values on its own tag.
 */
export const TRACKING_SCRIPT = String.raw`(() => {
  'use strict'
  const own = document.currentScript
  const { origin, address } = own.dataset
  let url = own.dataset.url
  own.remove()

  const workspace = window.top
  const tell = (message) => {
    if (workspace !== window) workspace.postMessage(message, origin)
  }
  const tellPage = () => tell({ type: 'patchbay:page', url, title: document.title })
  const resolve = (to) => {
    try {
      return new URL(to, document.baseURI)
    } catch {
      return null
    }
  }
  const isWeb = (target) => target.protocol === 'https:' || target.protocol === 'http:'
  const go = (target) => location.assign(address + encodeURIComponent(target.href))

  const withoutHash = (text) => text.split('#', 1)[0]
  const follow = (target) => {
    if (withoutHash(target.href) !== withoutHash(url) || target.hash === '') go(target)
    else if (target.hash === location.hash) document.getElementById(target.hash.slice(1))?.scrollIntoView()
    else location.hash = target.hash
  }

  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = event.composedPath().find((each) => each instanceof Element && each.matches('a[href],area[href]'))
    const target = link && resolve(link.getAttribute('href'))
    if (!target || !isWeb(target)) return
    event.preventDefault()
    const frame = (link.getAttribute('target') || '').toLowerCase()
    if (['', '_self', '_parent', '_top'].includes(frame)) follow(target)
    else open(target.href, '_blank', 'noopener,noreferrer')
  })

  const submit = (form, submitter) => {
    const read = (name) => submitter?.getAttribute('form' + name) ?? form.getAttribute(name) ?? ''
    const method = read('method').toLowerCase()
    if (method === 'dialog') return false
    const target = resolve(read('action') || url)
    if (method === 'post' || !target || !isWeb(target)) {
      tell({ type: 'patchbay:blocked', what: 'form' })
      return true
    }
    const fields = [...new FormData(form, submitter)]
    target.search = new URLSearchParams(fields.map(([name, value]) => [name, value.name ?? value])).toString()
    go(target)
    return true
  }
  addEventListener('submit', (event) => {
    if (!event.defaultPrevented && submit(event.target, event.submitter)) event.preventDefault()
  })
  HTMLFormElement.prototype.submit = function () {
    submit(this, null)
  }

  // Addresses of the site are foreign to a document of ours: given to the browser, they would be errors.
  const isPlain = (state) => state === null || state === undefined || Object.getPrototypeOf(state) === Object.prototype
  const stamp = (state, patchbayUrl) => (isPlain(state) ? { ...state, patchbayUrl } : state)
  const replace = history.replaceState.bind(history)
  for (const name of ['pushState', 'replaceState']) {
    const change = history[name].bind(history)
    history[name] = (state, unused, to) => {
      const next = to === undefined || to === null ? new URL(url) : resolve(to)
      if (next === null || next.origin !== new URL(url).origin)
        throw new DOMException('The address is not of this site.', 'SecurityError')
      change(stamp(state, next.href), '')
      url = next.href
      tellPage()
    }
  }
  replace(stamp(history.state, url), '')
  addEventListener('popstate', (event) => {
    url = event.state?.patchbayUrl ?? withoutHash(url) + location.hash
    replace(stamp(history.state, url), '')
    tellPage()
  })

  // A page without an origin has no storage, and many fail without it. This one is gone with the page.
  const forgetful = () => {
    const items = new Map()
    return {
      getItem: (key) => items.get(String(key)) ?? null,
      setItem: (key, value) => void items.set(String(key), String(value)),
      removeItem: (key) => void items.delete(String(key)),
      clear: () => items.clear(),
      key: (index) => [...items.keys()][index] ?? null,
      get length() {
        return items.size
      },
    }
  }
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { value: forgetful(), configurable: true })
  Object.defineProperty(document, 'cookie', { get: () => '', set: () => undefined, configurable: true })

  const TELL_EVERY_MS = 250
  let waiting = false
  let isDue = false
  const tellScroll = () => {
    isDue = waiting
    if (waiting) return
    waiting = true
    setTimeout(() => {
      waiting = false
      if (isDue) tellScroll()
    }, TELL_EVERY_MS)
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.scrollingElement ?? document.documentElement
    tell({
      type: 'patchbay:scroll',
      x: scrollX,
      y: scrollY,
      maxX: Math.max(0, scrollWidth - clientWidth),
      maxY: Math.max(0, scrollHeight - clientHeight),
    })
  }
  addEventListener('scroll', tellScroll, { passive: true })

  addEventListener('DOMContentLoaded', () => {
    let title = document.title
    tellPage()
    const { hash } = new URL(url)
    if (hash !== '' && location.hash === '') location.replace(withoutHash(location.href) + hash)
    new MutationObserver(() => {
      if (document.title === title) return
      title = document.title
      tellPage()
    }).observe(document.head ?? document, { childList: true, characterData: true, subtree: true })
  })
})()`
