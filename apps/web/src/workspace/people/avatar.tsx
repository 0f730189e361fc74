import { Bot } from 'lucide-react'
import { personStyle } from '../../parts/person-style.ts'
import { initialsOf, type Person } from '../presence/people.ts'
import styles from './people.module.css'

interface AvatarProps {
  person: Person
  size?: 'xs' | 'sm' | 'md'
}

/** The initials of somebody in their color. The name stands beside it or is said otherwise. */
export function Avatar({ person, size = 'md' }: AvatarProps) {
  const { name, kind, color, isAway } = person
  return (
    <span
      aria-hidden
      className={styles.avatar}
      data-size={size}
      data-away={isAway || undefined}
      style={personStyle(color)}
    >
      {kind === 'agent' ? <Bot /> : initialsOf(name, size === 'xs' ? 1 : 2)}
    </span>
  )
}
