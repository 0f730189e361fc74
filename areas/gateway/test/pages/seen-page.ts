/** Functions that run inside a page; each must stand on its own. */

/** Boxes whose content sticks out to the right. */
export function overflowing(): string[] {
  return [document.documentElement, ...document.querySelectorAll('body *')]
    .filter((box) => box.clientWidth > 0 && box.scrollWidth > box.clientWidth)
    .map((box) => `${box.tagName} ${box.className}: ${box.scrollWidth} in ${box.clientWidth}`)
}

interface Contrast {
  readonly what: string
  readonly ratio: number
  readonly least: number
}

/** The contrast of every text with what is behind it, and of the edges and focus rings of controls. */
export function contrasts(): Contrast[] {
  const luminance = (color: string) => {
    const parts = (color.match(/[\d.]+/g) ?? []).slice(0, 3).map((part) => Number(part) / 255)
    const [red = 0, green = 0, blue = 0] = parts.map((part) =>
      part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const ratio = (one: string, other: string) => {
    const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }
  const behind = (element: Element | null): string => {
    if (element === null) throw new Error('nothing opaque is behind the text')
    const { backgroundColor } = getComputedStyle(element)
    return backgroundColor.startsWith('rgba') ? behind(element.parentElement) : backgroundColor
  }
  const texts = [...document.querySelectorAll('body *')]
    .filter((box) =>
      [...box.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== ''),
    )
    .map((box) => ({
      what: `text “${box.textContent}”`,
      ratio: ratio(getComputedStyle(box).color, behind(box)),
      least: 4.5,
    }))
  const controls = [...document.querySelectorAll('button')].flatMap((button) => {
    button.focus({ focusVisible: true })
    const { borderTopColor, outlineColor } = getComputedStyle(button)
    const around = behind(button.parentElement)
    return [
      { what: `edge of ${button.textContent}`, ratio: ratio(borderTopColor, around), least: 3 },
      { what: `focus ring of ${button.textContent}`, ratio: ratio(outlineColor, around), least: 3 },
    ]
  })
  return [...texts, ...controls]
}
