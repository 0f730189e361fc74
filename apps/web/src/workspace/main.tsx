import '../styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import type { Randomness } from './randomness.ts'
import { WorkspaceApp } from './workspace-app.tsx'

const root = document.querySelector('#root')
if (root === null) throw new Error('workspace.html has no #root')

const randomness: Randomness = { newId: () => crypto.randomUUID(), random: () => Math.random() }

createRoot(root).render(
  <StrictMode>
    <WorkspaceApp randomness={randomness} />
  </StrictMode>,
)
