import '../styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ViewerApp } from './viewer-app.tsx'
import { ViewerSession } from './viewer-session.ts'

const root = document.querySelector('#root')
if (root === null) throw new Error('viewer.html has no #root')

const session = new ViewerSession({ newId: () => crypto.randomUUID(), random: () => Math.random() })

createRoot(root).render(
  <StrictMode>
    <ViewerApp session={session} />
  </StrictMode>,
)
