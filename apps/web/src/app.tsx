import { I18nProvider } from 'react-aria-components/I18nProvider'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { routes } from './routes.tsx'
import { takeSecretFromAddress } from './secrets/secret-in-address.ts'

// Before the router: it would keep the whole address in its state.
takeSecretFromAddress()
const router = createBrowserRouter(routes)

export function App() {
  return (
    // The app speaks English; React Aria would follow the browser and mix a second language in.
    <I18nProvider locale="en-US">
      <RouterProvider router={router} />
    </I18nProvider>
  )
}
