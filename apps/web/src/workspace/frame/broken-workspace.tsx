import { Component, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'

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
        <h1>This page stopped working</h1>
        <EmptyState
          title="Everything in the workspace is kept"
          actions={
            <Button variant="primary" onPress={() => location.reload()}>
              Reload the page
            </Button>
          }
        >
          <p>{this.state.error instanceof Error ? this.state.error.message : 'Unknown error.'}</p>
        </EmptyState>
      </main>
    )
  }
}
