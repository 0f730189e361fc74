import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Dialog as AriaDialog, DialogTrigger, Heading } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import buttons from '../../components/button.module.css'
import { Button } from '../../components/button.tsx'
import { classes } from '../../components/classes.ts'
import popover from '../../components/popover.module.css'
import { useValue } from '../../parts/use-value.ts'
import { panelOf } from '../presence/panel-of.ts'
import { ownHandle, type Person } from '../presence/people.ts'
import { words } from '../presence/words.ts'
import { useWorkspace, useWorkspaceSession } from '../workspace-context.ts'
import { Avatar } from './avatar.tsx'
import styles from './people.module.css'

const MOST_AVATARS = 4

/** Who else is in the workspace: their initials in the bar, and a list in which one follows them. */
export function PeopleMenu() {
  const { presence } = useWorkspaceSession()
  const people = useValue(presence.people)
  const layout = useWorkspace((snapshot) => snapshot.layout)
  const [isOpen, setOpen] = useState(false)
  if (people.length === 0 && !isOpen) return null
  const shown = people.slice(0, MOST_AVATARS)
  const hidden = people.length - shown.length
  const names = shown.map((person) => words.at(person.name, panelOf(person, layout)))
  const tooltip = [...names, ...(hidden > 0 ? [words.more(hidden)] : [])].join(', ')
  return (
    <div className={styles.people} title={tooltip}>
      <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
        <AriaButton
          aria-label={words.here(people.length)}
          className={classes(buttons.button, styles.stack)}
          data-variant="ghost"
          data-size="sm"
        >
          {shown.map((person) => (
            <Avatar key={person.key} person={person} />
          ))}
          {hidden > 0 && <span className={styles.more}>{words.more(hidden)}</span>}
        </AriaButton>
        <Popover placement="bottom end" offset={6} data-overlay className={classes(popover.popover)}>
          <AriaDialog className={classes(styles.list)}>
            {({ close }) => (
              <>
                <Heading slot="title" className={classes(styles.heading)}>
                  {words.title}
                </Heading>
                {people.length === 0 ? (
                  <p className={styles.facts}>{words.nobody}</p>
                ) : (
                  <ul aria-label={words.title} className={styles.rows}>
                    {people.map((person) => (
                      <PersonRow key={person.key} person={person} close={close} />
                    ))}
                  </ul>
                )}
              </>
            )}
          </AriaDialog>
        </Popover>
      </DialogTrigger>
    </div>
  )
}

function PersonRow({ person, close }: { person: Person; close: () => void }) {
  const { presence } = useWorkspaceSession()
  const layout = useWorkspace((snapshot) => snapshot.layout)
  const own = useWorkspace((snapshot) => ownHandle(snapshot))
  const { key, kind, name, handle, pages, following } = person
  const isFollowed = useValue(presence.following)?.key === key
  const facts = [
    kind === 'agent' ? words.agentOf(handle) : handle,
    pages > 1 && words.windows(pages),
    following !== undefined && words.followsSomebody(following === own ? words.you : following),
  ].filter((fact) => fact !== false)
  return (
    <li className={styles.row}>
      <Avatar person={person} />
      <p className={styles.who}>
        <span className={styles.name}>{words.at(name, panelOf(person, layout))}</span>
        <span className={styles.facts}>{facts.join(' · ')}</span>
      </p>
      <Button
        size="sm"
        aria-label={isFollowed ? words.stopFollowing(name) : words.followPerson(name)}
        onPress={() => {
          close()
          if (isFollowed) presence.stop()
          else presence.follow(key)
        }}
      >
        {isFollowed ? words.stop : words.follow}
      </Button>
    </li>
  )
}
