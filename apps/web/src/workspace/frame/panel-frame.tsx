import type { CatalogPanel } from '@patchbay/contracts/panels'
import { findTab, type Tab } from '@patchbay/workspace-layout'
import { RotateCw } from 'lucide-react'
import { Component, type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import type { PanelProps } from '../panel-definition.ts'
import { PANELS } from '../panels/panels.ts'
import { NO_STATE } from '../store/snapshot.ts'
import { words } from '../words.tsx'
import { useCatalog, useWorkspace, useWorkspaceSession } from '../workspace-context.ts'
import styles from './panel-frame.module.css'

type PanelCode =
  | { readonly state: 'loading' | 'none' }
  | { readonly state: 'loaded'; readonly Panel: ComponentType<PanelProps> }
  | { readonly state: 'failed'; readonly retry: () => void }

const LOADING: PanelCode = { state: 'loading' }

/** The code of a kind of panel, fetched when it is first needed. `none` for a kind that is not built. */
function usePanelComponent(kind: string): PanelCode {
  const definition = PANELS.find((panel) => panel.kind === kind)
  const [code, setCode] = useState(LOADING)
  useEffect(() => {
    let isCurrent = true
    const show = (next: PanelCode) => {
      if (isCurrent) setCode(next)
    }
    const load = () => {
      definition?.load().then(
        (Panel) => show({ state: 'loaded', Panel }),
        () => show({ state: 'failed', retry }),
      )
    }
    const retry = () => {
      show(LOADING)
      load()
    }
    load()
    return () => {
      isCurrent = false
    }
  }, [definition])
  return definition === undefined ? { state: 'none' } : code
}

interface Props {
  /** What is shown in place of a panel that threw. */
  renderFault: (error: unknown, retry: () => void) => ReactNode
  onFault: (error: unknown) => void
  children: ReactNode
}

/** A panel that throws takes down nothing but itself. */
class PanelBoundary extends Component<Props, { error: unknown; hasThrown: boolean }> {
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

/** What stands below a tab: the panel, or why there is none. */
export function PanelFrame({ tabId, isShown }: { tabId: string; isShown: boolean }) {
  const tab = useWorkspace(({ layout }) => findTab(layout, tabId)?.tab)
  const catalog = useCatalog()
  const panel = tab === undefined ? undefined : catalog.panels.get(tab.panel)
  return (
    // No region: the group of tabs is one already, with the same name.
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset belongs to a form
      role="group"
      aria-label={tab?.title ?? words.panel.untitled}
      data-tab-id={tabId}
      className={styles.frame}
    >
      {tab !== undefined && panel !== undefined && <Filled tab={tab} panel={panel} isShown={isShown} />}
      {tab !== undefined && panel === undefined && <Unknown />}
    </div>
  )
}

function Unknown() {
  const { state } = useCatalog()
  const { catalog } = useWorkspaceSession()
  if (state === 'loading') return <Skeleton label={words.panel.loadingCatalog} lines={3} />
  if (state === 'failed')
    return (
      <PanelMessage
        title={words.panel.noCatalog.title}
        action={
          <Button size="sm" icon={<RotateCw aria-hidden />} onPress={() => void catalog.load()}>
            {words.panel.retry}
          </Button>
        }
      >
        {words.panel.noCatalog.text}
      </PanelMessage>
    )
  return <PanelMessage title={words.panel.removed.title}>{words.panel.removed.text}</PanelMessage>
}

function Filled({ tab, panel, isShown }: { tab: Tab; panel: CatalogPanel; isShown: boolean }) {
  const { store, host, log, copies } = useWorkspaceSession()
  const { revision, state } = useWorkspace(({ states }) => states.get(tab.id) ?? NO_STATE)
  const mayChange = useWorkspace((snapshot) => snapshot.mayChange)
  const code = usePanelComponent(panel.kind)
  const stored = useWorkspace((snapshot) => snapshot.stored.get(tab.id) ?? NO_STATE)
  const setState = useCallback<PanelProps['setState']>(
    (patch, on) => store.setState(tab.id, patch, on),
    [store, tab.id],
  )
  if (panel.availability === 'planned' || code.state === 'none')
    return (
      <PanelMessage title={words.panel.planned.title(panel.name)}>
        {words.panel.planned.text(panel.description)}
      </PanelMessage>
    )
  if (code.state !== 'loaded' && code.state !== 'failed')
    return <Skeleton label={words.panel.loading(panel.name)} lines={3} />
  if (code.state === 'failed')
    return (
      <PanelMessage
        title={words.panel.notLoaded.title}
        action={
          <Button size="sm" icon={<RotateCw aria-hidden />} onPress={code.retry}>
            {words.panel.retry}
          </Button>
        }
      >
        {words.panel.notLoaded.text}
      </PanelMessage>
    )
  const { Panel } = code
  return (
    <PanelBoundary
      onFault={(error) =>
        log.add({ source: 'workspace', level: 'error', text: String(error), about: tab.title })
      }
      renderFault={(error, retry) => (
        <PanelMessage
          title={words.panel.broken}
          action={
            <Button size="sm" icon={<RotateCw aria-hidden />} onPress={retry}>
              {words.panel.restart}
            </Button>
          }
        >
          {String(error)}
        </PanelMessage>
      )}
    >
      <Panel
        tabId={tab.id}
        title={tab.title}
        panel={panel}
        state={state}
        revision={revision}
        isActive={isShown}
        mayChange={mayChange}
        stored={stored}
        setState={setState}
        openCopy={(copied) => copies.open(tab, copied)}
        offerCopy={(copied) => copies.offer(tab, copied)}
        host={host}
      />
    </PanelBoundary>
  )
}

interface PanelMessageProps {
  title: string
  action?: ReactNode
  children: ReactNode
}

/** In place of what a panel would show. */
function PanelMessage({ title, action, children }: PanelMessageProps) {
  return (
    <div className={styles.message}>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.text}>{children}</p>
      {action}
    </div>
  )
}
