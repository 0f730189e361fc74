import type { Root } from 'mdast'
import { directiveFromMarkdown } from 'mdast-util-directive'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { directive } from 'micromark-extension-directive'
import { gfmTable } from 'micromark-extension-gfm-table'

/** A lesson as a tree: CommonMark with tables, and steps that stand on lines of their own. */
export function parseMarkdown(text: string): Root {
  // Not those inside of a line: there a colon is a colon, as in 12:30 and GPIO:LED.
  const { flow = {} } = directive()
  return fromMarkdown(text, {
    extensions: [{ flow }, gfmTable()],
    mdastExtensions: [directiveFromMarkdown(), gfmTableFromMarkdown()],
  })
}
