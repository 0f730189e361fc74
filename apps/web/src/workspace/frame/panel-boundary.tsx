import { Component, type ReactNode } from 'react'

interface Props {
  /** What is shown in place of a panel that threw. */
  renderFault: (error: unknown, retry: () => void) => ReactNode
  onFault: (error: unknown) => void
  children: ReactNode
}

/** A panel that throws takes down nothing but itself. */
export class PanelBoundary extends Component<Props, { error: unknown; hasThrown: boolean }> {
  override state = { error: undefined as unknown, hasThrown: false }

  static getDerivedStateFromError(error: unknown) {
    return { error, hasThrown: true }
  }

  override componentDidCatch(error: unknown): void {
    this.props.onFault(error)
  }

  override render() {
    const { error, hasThrown } = this.state
    if (!hasThrown) return this.props.children
    return this.props.renderFault(error, () => this.setState({ error: undefined, hasThrown: false }))
  }
}
