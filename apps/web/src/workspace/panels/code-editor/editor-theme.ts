import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The tokens of the page reach into the editor's root, so one theme is both. */
const look = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    fontSize: 'var(--size-sm)',
  },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--text)', padding: '6px 0' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in oklab, var(--focus) 28%, transparent)',
  },
  '.cm-gutters': {
    color: 'var(--text-muted)',
    backgroundColor: 'var(--surface)',
    border: 'none',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in oklab, var(--surface-hover) 55%, transparent)' },
  '.cm-activeLineGutter': { color: 'var(--text)', backgroundColor: 'var(--surface-hover)' },
  '&.cm-focused .cm-matchingBracket': {
    color: 'inherit',
    backgroundColor: 'color-mix(in oklab, var(--ok-lamp) 30%, transparent)',
  },
  '&.cm-focused .cm-nonmatchingBracket': { color: 'var(--danger-text)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warning-soft)', outline: '1px solid var(--warning-text)' },
  '.cm-searchMatch-selected': {
    backgroundColor: 'var(--accent-soft)',
    outline: '2px solid var(--accent-text)',
  },
  '.cm-panels': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface-raised)',
    fontFamily: 'var(--font-sans)',
  },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '4px 28px 4px 6px', overflow: 'auto' },
  '.cm-panel.cm-search label': { fontSize: 'var(--size-xs)', display: 'inline-flex', alignItems: 'center' },
  '.cm-panel.cm-search [name=close]': {
    width: '24px',
    height: '24px',
    color: 'var(--text)',
    fontSize: '18px',
  },
  '.cm-textfield': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-sm)',
    fontSize: 'var(--size-sm)',
    padding: '2px 6px',
  },
  '.cm-button': {
    color: 'var(--text)',
    background: 'var(--surface-hover)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-sm)',
    fontSize: 'var(--size-xs)',
    padding: '2px 8px',
  },
  '.cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface-raised)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-md)',
    boxShadow: 'var(--shadow-high)',
    fontSize: 'var(--size-xs)',
    maxWidth: 'min(36rem, 90vw)',
  },
  '.cm-help': { padding: '6px 8px', maxHeight: '16rem', overflow: 'auto' },
  '.cm-help code': {
    display: 'block',
    fontFamily: 'var(--font-mono)',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
  '.cm-help p': { margin: '4px 0 0', whiteSpace: 'pre-wrap', fontFamily: 'var(--font-sans)' },
  '.cm-help p:first-child': { margin: '0' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '14rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px', lineHeight: '1.5' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface-hover)',
    boxShadow: 'inset 2px 0 0 var(--accent-text)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600', color: 'var(--accent-text)' },
  // Without room beside the list it would lie over it. It keeps its size, by which that is judged.
  '.cm-completionInfo-right-narrow, .cm-completionInfo-left-narrow': { visibility: 'hidden' },
  '.cm-completionDetail': { color: 'var(--text-muted)' },
  '.cm-diagnostic': { padding: '4px 8px', fontFamily: 'var(--font-sans)', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--danger-text)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--warning-text)' },
  '.cm-diagnostic-info': { borderLeft: '3px solid var(--info-text)' },
  '.cm-lintRange': { paddingBottom: '0', textDecorationSkipInk: 'none' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--danger-text)',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--warning-text)',
  },
  '.cm-lintRange-info': {
    backgroundImage: 'none',
    textDecoration: 'underline dotted var(--text-muted)',
  },
  '.cm-panel.cm-panel-lint ul [aria-selected]': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface-hover)',
  },
  '.cm-textfield:focus-visible, .cm-button:focus-visible, [name=close]:focus-visible': {
    outline: '2px solid var(--focus)',
  },
})

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--accent-text)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--ok-text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--info-text)' },
  { tag: tags.comment, color: 'var(--text-muted)', fontStyle: 'italic' },
  { tag: [tags.propertyName, tags.attributeName], color: 'var(--info-text)' },
  { tag: [tags.typeName, tags.className, tags.tagName], color: 'var(--warning-text)' },
  { tag: [tags.function(tags.variableName), tags.definition(tags.variableName)], fontWeight: '600' },
  { tag: [tags.heading, tags.strong], fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--accent-text)', textDecoration: 'underline' },
  { tag: [tags.meta, tags.processingInstruction], color: 'var(--text-muted)' },
  { tag: tags.invalid, color: 'var(--danger-text)' },
])

export const editorTheme: Extension = [look, syntaxHighlighting(colors)]
