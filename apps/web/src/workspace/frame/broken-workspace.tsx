import { Component, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { words } from '../words.tsx'

interface Props {
  children: ReactNode
}

/** In place of everything, when the page itself threw. */
export class BrokenWorkspace extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return (
      <main>
        <h1>{words.broken.heading}</h1>
        <EmptyState
          title={words.broken.title}
          actions={
            <Button variant="primary" onPress={() => location.reload()}>
              {words.broken.reload}
            </Button>
          }
        >
          <p>{this.state.error instanceof Error ? this.state.error.message : words.broken.unknown}</p>
        </EmptyState>
      </main>
    )
  }
}
