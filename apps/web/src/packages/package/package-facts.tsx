import type { PackagePage as Shown } from '@patchbay/contracts/registry'
import { linkOf } from '@patchbay/package-format'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../components/button-link.tsx'
import { Link } from '../../components/link.tsx'
import styles from './package-facts.module.css'
import { words } from './words.tsx'

/** Who made it, under which license, and where to read more: what its author says about it. */
export function PackageFacts({ shown }: { shown: Shown }) {
  const { author, maintainer, license, category, resources, tags } = shown
  return (
    <dl className={styles.facts}>
      <Fact name={words.facts.license}>{license}</Fact>
      {category !== null && <Fact name={words.facts.category}>{category}</Fact>}
      <Fact name={words.facts.author}>
        <Contact contact={author} />
      </Fact>
      {maintainer !== null && (
        <Fact name={words.facts.maintainer}>
          <Contact contact={maintainer} />
        </Fact>
      )}
      {Object.entries(resources).map(([name, text]) => (
        <Fact key={name} name={name}>
          <p>
            <Said text={text} />
          </p>
        </Fact>
      ))}
      {tags.length > 0 && (
        <Fact name={words.facts.tags}>
          <ul className={styles.tags}>
            {tags.map((tag) => (
              <li key={tag}>
                <ButtonLink href={`/packages?tag=${encodeURIComponent(tag)}`} size="sm">
                  {tag}
                </ButtonLink>
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd>{children}</dd>
    </div>
  )
}

function Contact({ contact }: { contact: Shown['author'] }) {
  return (
    <>
      <bdi>{contact.name}</bdi>
      <ul>
        {Object.entries(contact.contact).map(([way, text]) => (
          <li key={way}>
            <p className={styles.way}>
              <bdi>{way}</bdi>
              {': '}
              <Said text={text} />
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}

/** A text out of metadata: a link if it is safe to follow, else just what it says. */
function Said({ text }: { text: string }) {
  const url = linkOf(text)
  if (url === undefined) return <bdi>{text}</bdi>
  return (
    <Link href={url.href} opensNewTab>
      {url.href}
    </Link>
  )
}
