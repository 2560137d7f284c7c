/** Where the page begins. */
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { createAppRouter } from './app/routes.tsx'
import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import './ui/base.css'

createRoot(document.getElementById('root')!).render(<RouterProvider router={createAppRouter()} />)
