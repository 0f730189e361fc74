import type { ReactNode } from 'react'
import {
  Tabs as AriaTabs,
  type TabsProps as AriaTabsProps,
  Tab,
  TabList,
  TabPanel,
} from 'react-aria-components/Tabs'
import { classes } from './classes.ts'
import styles from './tabs.module.css'

export interface TabEntry {
  id: string
  label: string
  isDisabled?: boolean
  content: ReactNode
}

interface TabsProps extends Omit<AriaTabsProps, 'className' | 'style' | 'children' | 'render'> {
  /** Names the row of tabs for a screen reader. */
  label: string
  tabs: readonly TabEntry[]
}

export function Tabs({ label, tabs, ...props }: TabsProps) {
  return (
    <AriaTabs {...props} className={classes(styles.tabs)}>
      <TabList aria-label={label} className={classes(styles.list)}>
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} isDisabled={tab.isDisabled ?? false} className={classes(styles.tab)}>
            {tab.label}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className={classes(styles.panel)}>
          {tab.content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}
