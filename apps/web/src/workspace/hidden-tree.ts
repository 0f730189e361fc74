/**
 * A tree for frames that shall not find each other. `top[0]`, `top.frames` and `top.length` tell of the frames in the
 * document itself and leave out those in shadow trees, so a page in one of them has no name for a page in another: code
 * in a sandbox could tell what it knows to a page that has a network.
 */
export function hiddenTreeOf(element: HTMLElement): ShadowRoot {
  // Whoever gives the focus to the element means the frame in it.
  return element.shadowRoot ?? element.attachShadow({ mode: 'open', delegatesFocus: true })
}

/** Style sheets of the document end where the tree begins. */
export const FRAME_STYLE = {
  display: 'block',
  width: '100%',
  height: '100%',
  border: '0',
  // Pages without a background of their own count on white.
  background: 'white',
  colorScheme: 'light',
}
