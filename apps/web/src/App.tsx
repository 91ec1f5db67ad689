import { createBrowserRouter, Navigate, RouterProvider } from 'react-router'
import { AppShell } from './components/AppShell.tsx'
import { BootGate } from './components/BootGate.tsx'
import { BootSkeleton } from './components/BootSkeleton.tsx'
import { ErrorPage } from './components/ErrorPage.tsx'
import { RequireSession } from './components/RequireSession.tsx'
import { RequireVisitor } from './components/RequireVisitor.tsx'

const router = createBrowserRouter([
  {
    Component: AppShell,
    ErrorBoundary: ErrorPage,
    HydrateFallback: BootSkeleton,
    children: [
      { index: true, lazy: async () => ({ Component: (await import('./screens/Home.tsx')).Home }) },
      {
        Component: RequireVisitor,
        children: [
          { path: 'sign-in', lazy: async () => ({ Component: (await import('./screens/SignIn.tsx')).SignIn }) },
          { path: 'sign-up', lazy: async () => ({ Component: (await import('./screens/SignUp.tsx')).SignUp }) },
        ],
      },
      { path: 'forgot', lazy: async () => ({ Component: (await import('./screens/Forgot.tsx')).Forgot }) },
      { path: 'reset', lazy: async () => ({ Component: (await import('./screens/Reset.tsx')).Reset }) },
      {
        path: 'verify-email',
        lazy: async () => ({ Component: (await import('./screens/VerifyEmail.tsx')).VerifyEmail }),
      },
      {
        path: 'account',
        Component: RequireSession,
        children: [
          { index: true, element: <Navigate to="/account/profile" replace /> },
          { path: 'profile', lazy: async () => ({ Component: (await import('./screens/Profile.tsx')).Profile }) },
          { path: 'sessions', lazy: async () => ({ Component: (await import('./screens/Sessions.tsx')).Sessions }) },
          { path: 'security', lazy: async () => ({ Component: (await import('./screens/Security.tsx')).Security }) },
        ],
      },
      { path: 'outbox', lazy: async () => ({ Component: (await import('./screens/Outbox.tsx')).Outbox }) },
      { path: '*', lazy: async () => ({ Component: (await import('./screens/NotFound.tsx')).NotFound }) },
    ],
  },
])

export function App() {
  return (
    <BootGate>
      <RouterProvider router={router} />
    </BootGate>
  )
}
