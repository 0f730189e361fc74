import { Component, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { words } from '../words.tsx'
import styles from './viewer.module.css'

/** In place of everything, when the page itself threw. */
export class BrokenViewer extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <main className={styles.main}>
        <h1 className={styles.heading}>{words.broken.heading}</h1>
        <EmptyState
          title={words.broken.title}
          actions={
            <Button variant="primary" onPress={() => location.reload()}>
              {words.broken.reload}
            </Button>
          }
        >
          <p>{error instanceof Error ? error.message : words.broken.unknown}</p>
        </EmptyState>
      </main>
    )
  }
}
