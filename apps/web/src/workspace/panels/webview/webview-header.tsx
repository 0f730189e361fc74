import { ArrowLeft, ArrowRight, ChevronsUp, RotateCw, Waypoints } from 'lucide-react'
import { ToolBar } from '../parts/tool-bar.tsx'
import { ToolButton } from '../parts/tool-button.tsx'
import { ToolToggle } from '../parts/tool-toggle.tsx'
import { AddressField } from '../parts/address-field.tsx'
import styles from './webview.module.css'
import type { Navigation } from './use-viewing.ts'

interface WebviewHeaderProps {
  navigation: Navigation
  isProxied: boolean
  mayChange: boolean
  setProxied: (isProxied: boolean) => void
  hide: () => void
}

export function WebviewHeader({ navigation, isProxied, mayChange, setProxied, hide }: WebviewHeaderProps) {
  const { viewing, place, go, step, reload } = navigation
  const { visits, at } = viewing
  return (
    <ToolBar label="Web view" className={styles.header}>
      <ToolButton label="Back" onPress={() => step(-1)} isDisabled={at <= 0}>
        <ArrowLeft aria-hidden />
      </ToolButton>
      <ToolButton label="Forward" onPress={() => step(1)} isDisabled={at >= visits.length - 1}>
        <ArrowRight aria-hidden />
      </ToolButton>
      <ToolButton label="Reload" onPress={reload} isDisabled={place === undefined}>
        <RotateCw aria-hidden />
      </ToolButton>
      <AddressField label="Address" example="example.com" place={place} isReadOnly={!mayChange} go={go} />
      <ToolToggle label="Proxy" isSelected={isProxied} onChange={setProxied} isDisabled={!mayChange}>
        <Waypoints aria-hidden />
      </ToolToggle>
      <ToolButton label="Hide the address bar" onPress={hide} isDisabled={!mayChange}>
        <ChevronsUp aria-hidden />
      </ToolButton>
    </ToolBar>
  )
}
