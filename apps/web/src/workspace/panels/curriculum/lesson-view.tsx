import type { Nodes, Parents, Root } from 'mdast'
import { createElement, type ReactNode } from 'react'
import type { PanelHost } from '../../panel-definition.ts'
import { parentOf } from '../files/file-tree.ts'
import { fileAddress } from '../parts/files.api.ts'
import { resolvePath } from '../parts/resolve-path.ts'
import styles from './curriculum.module.css'
import { type Lesson } from './lesson.ts'
import { LessonPicture } from './lesson-picture.tsx'
import { isWebAddress, type Step, type StepFault } from './steps.ts'

interface LessonViewProps {
  host: PanelHost
  lesson: Lesson
  /** Another lesson of the course, by its path, if it is one. */
  goTo: (path: string) => (() => void) | undefined
  renderStep: (step: Step | StepFault) => ReactNode
}

/** A lesson as elements of the page. What the author wrote is text, whatever it looks like: nothing of it is HTML. */
export function LessonView(props: LessonViewProps) {
  const { lesson } = props
  const folder = parentOf(lesson.path)
  const definitions = definitionsOf(lesson.root)

  const inside = (node: Parents): ReactNode[] => node.children.map((child, index) => draw(child, index))
  const link = (node: Parents, url: string, key: number): ReactNode => {
    const children = inside(node)
    if (isWebAddress(url) || /^mailto:/i.test(url))
      return (
        <a key={key} href={url} target="_blank" rel="noopener noreferrer">
          {children}
        </a>
      )
    const path = /^[a-z][a-z0-9+.-]*:|^[#?]/i.test(url) ? undefined : resolvePath(folder, decoded(url))
    if (path === undefined || path === '') return <span key={key}>{children}</span>
    const go = props.goTo(path)
    return go === undefined ? (
      <a key={key} href={fileAddress(props.host.workspace, path)} download>
        {children}
      </a>
    ) : (
      <button key={key} type="button" className={styles.link} onClick={go}>
        {children}
      </button>
    )
  }
  const picture = (url: string, alt: string, key: number) => {
    const path = /^[a-z][a-z0-9+.-]*:/i.test(url) ? undefined : resolvePath(folder, decoded(url))
    return <LessonPicture key={key} host={props.host} path={path} alt={alt} />
  }

  function draw(node: Nodes, key: number): ReactNode {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- of what is not drawn as itself, what is in it
    switch (node.type) {
      case 'text':
        return node.value
      case 'paragraph':
        return <p key={key}>{inside(node)}</p>
      case 'heading':
        // The panel has the title of the lesson above them.
        return createElement(`h${Math.min(6, node.depth + 2)}`, { key }, inside(node))
      case 'emphasis':
        return <em key={key}>{inside(node)}</em>
      case 'strong':
        return <strong key={key}>{inside(node)}</strong>
      case 'inlineCode':
        return <code key={key}>{node.value}</code>
      case 'code':
        return (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
          <pre key={key} tabIndex={0}>
            <code>{node.value}</code>
          </pre>
        )
      case 'blockquote':
        return <blockquote key={key}>{inside(node)}</blockquote>
      case 'list':
        return node.ordered === true ? (
          <ol key={key} start={node.start ?? 1}>
            {inside(node)}
          </ol>
        ) : (
          <ul key={key}>{inside(node)}</ul>
        )
      case 'listItem': {
        // A list without blank lines between its items has no paragraphs in them.
        const isTight = node.spread !== true
        return (
          <li key={key}>
            {node.children.map((child, index) =>
              isTight && child.type === 'paragraph' ? inside(child) : draw(child, index),
            )}
          </li>
        )
      }
      case 'break':
        return <br key={key} />
      case 'thematicBreak':
        return <hr key={key} />
      case 'table': {
        const [head, ...rows] = node.children
        return (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
          <div key={key} className={styles.table} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  {head?.children.map((cell, at) => (
                    <th key={at}>{inside(cell)}</th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row, at) => (
                  <tr key={at}>
                    {row.children.map((cell, column) => (
                      <td key={column}>{inside(cell)}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
      case 'link':
        return link(node, node.url, key)
      case 'linkReference': {
        const url = definitions.get(node.identifier)
        return url === undefined ? inside(node) : link(node, url, key)
      }
      case 'image':
        return picture(node.url, node.alt ?? '', key)
      case 'imageReference':
        return picture(definitions.get(node.identifier) ?? 'none:', node.alt ?? '', key)
      case 'html':
        return node.value
      case 'leafDirective': {
        const step = lesson.steps.get(node)
        return step === undefined ? null : <div key={key}>{props.renderStep(step)}</div>
      }
      case 'definition':
        return null
      default:
        return 'children' in node ? <div key={key}>{inside(node)}</div> : null
    }
  }
  return <div className={styles.prose}>{inside(lesson.root)}</div>
}

function definitionsOf(root: Root): ReadonlyMap<string, string> {
  return new Map(
    root.children.flatMap((node) =>
      node.type === 'definition' ? [[node.identifier, node.url] as const] : [],
    ),
  )
}

/** Addresses in Markdown are written with %20 for a blank; paths of files are not. */
function decoded(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}
