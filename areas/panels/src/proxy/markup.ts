/** Only `html` makes one, so that no text reaches a page without having been escaped. */
class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type { Markup }

/** A piece of a page. Texts are escaped wherever they are put in; pieces made by `html` are not escaped again. */
export function html(fixed: TemplateStringsArray, ...values: readonly (string | Markup)[]): Markup {
  return new Markup(String.raw({ raw: fixed }, ...values.map(asHtml)))
}

function asHtml(value: string | Markup): string {
  return typeof value === 'string' ? escapeHtml(value) : value.text
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}
